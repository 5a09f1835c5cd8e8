import { defined } from "../../../src/api/defined.ts";
import type { KubeObject } from "../../../src/api/object.ts";
import { type Place, placeIn } from "./asked.ts";
import type { Fault } from "./faults.ts";
import { parsedIn } from "./parsed.ts";
import { type Preconditions, preconditionsIn } from "./preconditions.ts";

export type Verb = "create" | "update" | "patch" | "apply" | "delete";

/** One write, from its arrival to the end of its reply. What comes later than the arrival is filled in as it comes. */
export interface WriteRecord extends Place {
  /** Counts from 1 in the order of arrival; 0 for upkeep, which is no site. */
  readonly n: number;
  /** Milliseconds of `performance.now()`. */
  readonly at: number;
  readonly verb: Verb;
  readonly dryRun: boolean;
  readonly userAgent: string;
  /** Leases of an election and Events: they come when they come, and say nothing about the order of a flow. */
  readonly upkeep: boolean;
  readonly preconditions: Preconditions;
  readonly body: unknown;
  /** What the plan did to it. */
  readonly fault?: Fault;
  /** The server's status; undefined when it never answered, or was never asked. */
  readonly code?: number;
  /** What the server has stored, for 2xx. */
  readonly answer?: KubeObject;
  readonly answeredAt?: number;
  /** The status that was sent to the client; with a fault it is not always the server's. */
  readonly told?: number;
  /** The whole reply reached the client. */
  readonly delivered: boolean;
}

/** The same while it is under way. */
export type Writing = { -readonly [Field in keyof WriteRecord]: WriteRecord[Field] };

export interface WriteRequest {
  readonly method: string;
  readonly path: string;
  readonly contentType: string;
  readonly userAgent: string;
  readonly body: Buffer;
}

const methods: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/** Questions and tokens go by POST too, and store nothing that could be lost. */
export function isWrite(method: string, { group, subresource }: Place): boolean {
  const isQuestion = group === "authentication.k8s.io" || group === "authorization.k8s.io" || subresource === "token";
  return methods.has(method) && !isQuestion;
}

export function recordOf(request: WriteRequest): Omit<Writing, "n"> {
  const asked = placeIn(request.path);
  if (asked === undefined) throw new Error(`${request.path} is no object`);
  const { place, query } = asked;
  const verb = verbOf(request);
  const body = parsedIn(request.body, request.contentType);
  const { metadata, dryRun = [] } = (body ?? {}) as Partial<KubeObject> & { readonly dryRun?: readonly string[] };
  const isPreview = query.getAll("dryRun").includes("All") || (verb === "delete" && dryRun.includes("All"));
  const whole = { ...place, ...defined({ name: place.name ?? metadata?.name }) };
  return {
    ...whole,
    at: performance.now(),
    verb,
    dryRun: isPreview,
    userAgent: request.userAgent,
    // What is only previewed is never stored, so nothing can go wrong with it that a refusal is not.
    upkeep: isUpkeep(whole) || isPreview,
    preconditions: preconditionsIn(verb, body),
    body,
    delivered: false,
  };
}

function verbOf({ method, contentType }: WriteRequest): Verb {
  if (method === "POST") return "create";
  if (method === "PUT") return "update";
  if (method === "DELETE") return "delete";
  return contentType.includes("apply-patch") ? "apply" : "patch";
}

/** Leases that hold intents are written step by step, like everything else that must not be lost. */
function isUpkeep({ group, resource, name = "" }: Place): boolean {
  if (resource === "leases") return group === "coordination.k8s.io" && !name.includes("-intents-");
  return resource === "events" && (group === "" || group === "events.k8s.io");
}
