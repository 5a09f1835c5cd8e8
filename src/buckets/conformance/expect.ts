import { isDeepStrictEqual } from "node:util";
import { type Code, RpcError } from "../../rpc/errors.ts";
import { Finding } from "./check.ts";

/** The call is refused with one of these codes; words of its own help people, so there are some. */
export async function refused(what: string, call: Promise<unknown>, ...codes: readonly Code[]): Promise<void> {
  const expected = `${codes.join(" or ")} for ${what}`;
  const problem = await call.then(
    () => undefined,
    (one: unknown) => one,
  );
  if (problem === undefined) throw new Finding(expected, "OK");
  if (!(problem instanceof RpcError)) throw problem as Error;
  if (!codes.includes(problem.code)) throw new Finding(expected, inWords(problem));
  if (problem.details === "") throw new Finding(`a reason with ${problem.code} for ${what}`, "none");
}

/** The call is done; what a driver says instead is the finding. */
export async function done<T>(what: string, call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (problem) {
    if (problem instanceof RpcError) throw new Finding(`OK for ${what}`, inWords(problem));
    throw problem;
  }
}

export function holds(expected: string, isSo: boolean, came: string): void {
  if (!isSo) throw new Finding(expected, came);
}

const told = ["bucketId", "accountId", "endpoint", "credentials"] as const;
type Answer = Partial<Readonly<Record<(typeof told)[number], unknown>>>;

/** Two answers in which everything that both have is the same. Values are not told: keys are among them. */
export function alike(what: string, one: Answer, other: Answer): void {
  for (const field of told)
    if (field in one && field in other && !isDeepStrictEqual(one[field], other[field]))
      throw new Finding(`the same ${field} from ${what}`, `another ${field}`);
}

export function inWords({ code, details }: RpcError): string {
  return details === "" ? code : `${code}: ${details}`;
}
