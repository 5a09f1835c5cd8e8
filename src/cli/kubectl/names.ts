import { misuse } from "../../api/failure.ts";

const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const rule = "Names are lower-case letters, digits and dashes, and begin and end with a letter or a digit.";

export interface Place {
  readonly namespace: string;
  readonly name: string;
}

/** The server would say the same, but after the first half of a command may have been done. */
export function nameOf(text: string | undefined, what: string): string {
  if (text === undefined || text === "") throw misuse(`${what} is missing`, "Write its name.");
  if (text.length <= 253 && text.split(".").every((part) => label.test(part))) return text;
  throw misuse(`"${text}" is no name of ${what}`, rule);
}

export function namespaceOf(text: string, what = "a namespace"): string {
  if (text.length <= 63 && label.test(text)) return text;
  throw misuse(`"${text}" is no name of ${what}`, rule);
}

/** `team-a/data`, the way people write an object of another namespace. */
export function placeOf(text: string | undefined, what: string): Place {
  if (text === undefined || text === "") throw misuse(`${what} is missing`, "Write it as NAMESPACE/NAME.");
  const [namespace = "", name = "", ...more] = text.split("/");
  if (more.length > 0 || namespace === "" || name === "")
    throw misuse(`"${text}" does not name ${what}`, "Write it as NAMESPACE/NAME.");
  return { namespace: namespaceOf(namespace), name: nameOf(name, what) };
}

/** Ends a name that no other may have taken yet. Node's crypto is loaded by whoever asks, and by nobody else. */
export function freshEnding(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(3))).toString("hex");
}

export function inWords({ namespace, name }: { readonly namespace?: string; readonly name: string }): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}
