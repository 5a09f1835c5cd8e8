import { isDeepStrictEqual } from "node:util";
import type { Message } from "@bufbuild/protobuf";
import type { WrongAnswer } from "./script.ts";

type Fields = Record<string, unknown>;

const ids = ["volumeId", "snapshotId", "bucketId", "accountId"];
const sizes = ["capacityBytes", "sizeBytes"];
/** Twice what gRPC takes by default, and far more than any id may have. */
const hugeLength = 8 * 1024 ** 2;

/** Replies whose bytes are no message at all. */
export const garbled: WeakSet<object> = new WeakSet();

const wrongs: Readonly<Record<WrongAnswer, (thing: Fields) => void>> = {
  "other-id": (thing) => each(thing, ids, (id) => `${String(id)}-other`),
  "empty-id": (thing) => each(thing, ids, () => ""),
  "no-credentials": (thing) => each(thing, ["credentials"], () => ({})),
  huge: (thing) => each(thing, ids, (id) => String(id).padEnd(hugeLength, "x")),
  smaller: (thing) => each(thing, sizes, (bytes) => (bytes as bigint) / 2n),
  "no-source": (thing) => each(thing, ["contentSource"], () => undefined),
  garbage: (thing) => void garbled.add(thing),
};

/** The reply as a broken driver would give it. One that stays the same is an error: the test would prove nothing. */
export function wronged(message: Message, answer: WrongAnswer): Message {
  const copy = structuredClone(message);
  const fields = copy as Message & Fields;
  const inner = fields["volume"] ?? fields["snapshot"];
  wrongs[answer](answer !== "garbage" && typeof inner === "object" ? (inner as Fields) : fields);
  if (!garbled.has(copy) && isDeepStrictEqual(copy, message))
    throw new Error(`the answer of ${message.$typeName} cannot be made wrong by "${answer}"`);
  return copy;
}

function each(thing: Fields, names: readonly string[], how: (value: unknown) => unknown): void {
  for (const name of names) if (thing[name] !== undefined) thing[name] = how(thing[name]);
}
