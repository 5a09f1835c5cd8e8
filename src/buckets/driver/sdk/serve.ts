import { create, type DescMethod, type Message } from "@bufbuild/protobuf";
import { Server, type ServerUnaryCall, type sendUnaryData, status } from "@grpc/grpc-js";
import { misuse } from "../../../api/failure.ts";
import type { Code } from "../../../rpc/errors.ts";
import { BucketDriver } from "../../../rpc/gen/buckets_pb.js";
import { definitionOf } from "../../../rpc/grpc.ts";
import { type Loggable, loggable, secretsIn, withoutSecrets } from "../../../rpc/redact.ts";
import { answersOf } from "./answers.ts";
import type { BucketDriverParts, Calling } from "./driver.ts";
import { isDriverName } from "./driver-name.ts";
import { listen } from "./listen.ts";
import { Refusal } from "./refusal.ts";

/** What was asked and answered, without secrets. */
export interface Handled {
  readonly method: string;
  readonly code: Code | "OK";
  readonly seconds: number;
  readonly request: Loggable;
  readonly reply?: Loggable;
  /** What went wrong. Of a bug it says more than the caller hears. */
  readonly error?: string;
}

export interface ServeOptions extends BucketDriverParts {
  /** `unix:///var/lib/cosi/cosi.sock`, or a loopback address. */
  readonly endpoint: string;
  readonly log?: (handled: Handled) => void;
  /** What no answer may quote, whatever a store says. */
  readonly secrets?: readonly string[];
}

export interface ServedDriver {
  readonly endpoint: string;
  /** Takes no new calls, and lets those under way come to an end unless it takes too long. */
  stop(withinSeconds?: number): Promise<void>;
}

/** Serves a bucket driver to the sidecar. This and the parts are the whole of a driver: see docs/bucket-drivers.md. */
export async function serveDriver(options: ServeOptions): Promise<ServedDriver> {
  if (!isDriverName(options.name))
    throw misuse(`"${options.name}" is no name of a driver`, "Use a lower-case DNS name of at most 63 characters.");
  const server = new Server({ "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 });
  const answers = answersOf(options);
  const handlers = BucketDriver.methods.map((method) => {
    const answer = answers[method.localName] as Answer | undefined;
    if (answer === undefined) throw new Error(`nobody answers ${method.name}`);
    return [method.localName, handlerOf(method, answer, options)] as const;
  });
  server.addService(definitionOf(BucketDriver), Object.fromEntries(handlers));
  const endpoint = await listen(server, options.endpoint);
  return { endpoint, stop: (withinSeconds = 10) => ended(server, withinSeconds) };
}

type Answer = (request: Message, calling: Calling) => Promise<object>;
type Handler = (call: ServerUnaryCall<Message, Message>, reply: sendUnaryData<Message>) => void;

function handlerOf(method: DescMethod, answer: Answer, { log, secrets = [] }: ServeOptions): Handler {
  return (call, send) => {
    const [start, gone] = [performance.now(), new AbortController()];
    call.on("cancelled", () => gone.abort(new Refusal("CANCELLED", "the caller is gone")));
    const tell = (code: Code | "OK", rest: Pick<Handled, "reply" | "error">) => {
      const seconds = (performance.now() - start) / 1000;
      log?.({ method: method.name, code, seconds, request: loggable(method.input, call.request), ...rest });
    };
    void answer(call.request, { signal: gone.signal }).then(
      (init) => {
        const message = create(method.output, init as Record<string, unknown>);
        tell("OK", log === undefined ? {} : { reply: loggable(method.output, message) });
        send(null, message);
      },
      (problem: unknown) => {
        const known = [...secrets, ...secretsIn(method.input, call.request)];
        const isRefusal = problem instanceof Refusal;
        const code = isRefusal ? problem.code : "INTERNAL";
        const error = withoutSecrets(isRefusal ? problem.message : stackOf(problem), known);
        tell(code, { error });
        // The words of a bug stay in the driver's own log: nobody has looked at what they quote.
        send({ code: status[code], details: isRefusal ? error : "a bug of the driver; its log says more" });
      },
    );
  };
}

function stackOf(problem: unknown): string {
  return problem instanceof Error ? (problem.stack ?? problem.message) : String(problem);
}

async function ended(server: Server, withinSeconds: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const late = setTimeout(() => server.forceShutdown(), withinSeconds * 1000);
  server.tryShutdown(() => resolve());
  await promise;
  clearTimeout(late);
}
