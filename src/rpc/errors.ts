import { status } from "@grpc/grpc-js";
import type { Trouble } from "../api/trouble.ts";
import type { Kind } from "./kinds.ts";

/** The codes of gRPC by their names, all that are no success. */
export type Code = Exclude<keyof typeof status, "OK">;

/** The driver said no, or nothing at all. Its words are without the secrets it was sent. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  /** For instance `/csi.v1.Controller/CreateVolume`. */
  readonly method: string;
  readonly code: Code;
  readonly trouble: Trouble;
  /** What the driver said, word for word but for secrets. */
  readonly details: string;

  // The error of grpc-js is no cause of this one: it holds the driver's words as they came, secrets included.
  constructor(method: string, code: Code, details: string, trouble: Trouble) {
    super(`${method.split("/").at(-1)}: ${details === "" ? "no reason was given" : details} (${code})`);
    this.method = method;
    this.code = code;
    this.details = details;
    this.trouble = trouble;
  }
}

const always = (trouble: Trouble) => ({ read: trouble, create: trouble, change: trouble, delete: trouble });
/** The driver may still be at it. Reading leaves nothing behind, so it can be asked again. */
const maybeDone = { ...always("in-doubt"), read: "transient" } as const;

/**
 * The one table from a driver's code to what happens next, by kind of call. It says for each code whether the operation
 * may have happened, and is the same as external-provisioner's where that sidecar has an opinion: there, too, only
 * four codes mean that a volume may yet come into being.
 */
export const troubles: Readonly<Record<Code, Readonly<Record<Kind, Trouble>>>> = {
  CANCELLED: maybeDone,
  DEADLINE_EXCEEDED: maybeDone,
  UNAVAILABLE: maybeDone,
  // By the CSI specification another call for the same volume is pending: perhaps our own, from before a restart.
  ABORTED: maybeDone,

  INVALID_ARGUMENT: always("refused"),
  // The name is taken by something else than what was asked for.
  ALREADY_EXISTS: always("refused"),
  OUT_OF_RANGE: always("refused"),
  PERMISSION_DENIED: always("refused"),
  UNIMPLEMENTED: always("refused"),

  UNKNOWN: always("transient"),
  // A delete whose object is gone is done; that is for the step to see, because looking again would not change it.
  NOT_FOUND: always("transient"),
  RESOURCE_EXHAUSTED: always("transient"),
  FAILED_PRECONDITION: always("transient"),
  INTERNAL: always("transient"),
  DATA_LOSS: always("transient"),
  UNAUTHENTICATED: always("transient"),
};

/** grpc-js gives a code of its own to a call that ended without a status: no driver said that nothing was done. */
const endedWithoutStatus =
  /^(Received RST_STREAM with code|Received HTTP status code|Bandwidth exhausted or memory limit exceeded$|Protocol not secure enough$)/;

export function errorOf(method: string, kind: Kind, code: Code, details: string): RpcError {
  const trouble = endedWithoutStatus.test(details) ? maybeDone[kind] : troubles[code][kind];
  return new RpcError(method, code, steady(details), trouble);
}

/** grpc-js puts times into its words. In a status they would make a new one of every try. */
function steady(details: string): string {
  if (details.startsWith("Deadline exceeded")) return "no answer in time";
  const lost = /^No connection established\. Last error: (?:Error: )?(.*?)\. Resolution note/.exec(details);
  return lost === null ? details : `no connection: ${lost[1]}`;
}

/** The driver says that it worked, and not what came of it. */
export function errorOfUnreadable(method: string, kind: Kind, why: string): RpcError {
  return new RpcError(method, "DATA_LOSS", `the driver's answer cannot be read: ${why}`, maybeDone[kind]);
}

export function codeOf(number: number): Code {
  const name = status[number];
  return isCode(name) ? name : "UNKNOWN";
}

function isCode(name: string | undefined): name is Code {
  return name !== undefined && name in troubles;
}
