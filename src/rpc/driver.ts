import { create, type DescMethod, type DescService, fromBinary, type Message, toBinary } from "@bufbuild/protobuf";
import type { ServiceError } from "@grpc/grpc-js";
import { type Channel, channelTo } from "./channel.ts";
import { type Code, codeOf, errorOf, errorOfUnreadable, RpcError } from "./errors.ts";
import { type CallOptions, type Calls, pathOf } from "./grpc.ts";
import { kindOf } from "./kinds.ts";
import { type Loggable, loggable, secretsIn, withoutSecrets } from "./redact.ts";

export interface DriverOptions {
  /** `/run/csi/socket` or `unix:///run/csi/socket`. */
  readonly socket: string;
  /** Of each call that does not say otherwise. */
  readonly timeoutSeconds?: number;
  /** What was said, without secrets. */
  readonly log?: (said: Said) => void;
  /** The connection has ended: whoever answers next may be another driver. */
  readonly onLost?: () => void;
  /** For metrics. */
  readonly onCall?: (call: FinishedCall) => void;
}

export interface FinishedCall {
  /** For instance `/csi.v1.Controller/CreateVolume`. */
  readonly method: string;
  readonly code: Code | "OK";
  readonly seconds: number;
}

export interface Said extends FinishedCall {
  readonly request: Loggable;
  readonly reply?: Loggable;
  readonly error?: string;
}

/** The one way to a driver. Every call has a deadline, and what goes wrong is an RpcError. */
export interface Driver {
  calls<S extends DescService>(service: S): Calls<S>;
  close(): void;
}

const defaultTimeoutSeconds = 10;

/** Returns at once: the first calls wait for a driver that is still starting. */
export function connectDriver(options: DriverOptions): Driver {
  const channel = channelTo(options.socket, options.onLost);
  return {
    calls<S extends DescService>(service: S) {
      const calls = service.methods.map((method) => [method.localName, callOf(method, channel, options)]);
      return Object.fromEntries(calls) as Calls<S>;
    },
    close: () => channel.close(),
  };
}

type Call = (request: Record<string, unknown>, options?: CallOptions) => Promise<Message>;

function callOf(method: DescMethod, channel: Channel, options: DriverOptions): Call {
  return async (init, { timeoutSeconds = options.timeoutSeconds ?? defaultTimeoutSeconds } = {}) => {
    const request = create(method.input, init);
    const bytes = toBinary(method.input, request);
    const start = performance.now();
    const tell = (code: Code | "OK", outcome: Pick<Said, "reply" | "error">) => {
      const call = { method: pathOf(method), code, seconds: (performance.now() - start) / 1000 };
      options.onCall?.(call);
      options.log?.({ ...call, request: loggable(method.input, request), ...outcome });
    };
    try {
      const reply = decoded(
        method,
        await channel.send(pathOf(method), bytes, new Date(Date.now() + timeoutSeconds * 1000)),
      );
      tell("OK", options.log === undefined ? {} : { reply: loggable(method.output, reply) });
      return reply;
    } catch (problem) {
      const error = asRpcError(problem, method, secretsIn(method.input, request));
      if (error === undefined) throw problem;
      tell(error.code, { error: error.message });
      throw error;
    }
  };
}

function decoded(method: DescMethod, bytes: Uint8Array): Message {
  try {
    return fromBinary(method.output, bytes);
  } catch (problem) {
    const why = problem instanceof Error ? problem.message : String(problem);
    throw errorOfUnreadable(pathOf(method), kindOf(method.localName), why);
  }
}

/** Undefined for what is no answer of a driver: a bug keeps its own stack. */
function asRpcError(problem: unknown, method: DescMethod, secrets: readonly string[]): RpcError | undefined {
  if (problem instanceof RpcError) return problem;
  if (!isServiceError(problem)) return undefined;
  const details = withoutSecrets(problem.details, secrets);
  return errorOf(pathOf(method), kindOf(method.localName), codeOf(problem.code), details);
}

function isServiceError(problem: unknown): problem is ServiceError {
  return problem instanceof Error && "code" in problem && typeof problem.code === "number" && "details" in problem;
}
