import type { PersistentVolumeClaim } from "../gen/core.ts";
import { acceptAnnotations, giveAnnotations } from "./names.ts";

/** A claim in some namespace. */
export interface Place {
  readonly namespace: string;
  readonly name: string;
}

/** What a person has written on a claim: nothing, or a place, or something that nobody can act upon. */
export type Wish =
  | { readonly is: "none" }
  | { readonly is: "unclear"; readonly why: string }
  | ({ readonly is: "clear" } & Place);

type Claim = Pick<PersistentVolumeClaim, "metadata">;

/** To whom it is given away. */
export function giveOn(claim: Claim): Wish {
  return wishIn(claim, giveAnnotations);
}

/** Whose volume it waits for. */
export function acceptOn(claim: Claim): Wish {
  return wishIn(claim, acceptAnnotations);
}

/** A claim that is being deleted accepts nothing any more. */
export function accepts(claim: Claim, { namespace, name }: Place): boolean {
  const wish = acceptOn(claim);
  const isThere = claim.metadata.deletionTimestamp === undefined;
  return isThere && wish.is === "clear" && wish.namespace === namespace && wish.name === name;
}

/** A namespace, a slash and a name, each as long as Kubernetes allows. */
const longest = 63 + 1 + 253;
const place = /^([a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?)\/([a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?)$/;

function wishIn({ metadata: { annotations = {} } }: Claim, names: readonly [seed: string, ours: string]): Wish {
  const [seed, ours] = names;
  const [one, other] = [annotations[seed], annotations[ours]];
  if (one !== undefined && other !== undefined && one !== other)
    return { is: "unclear", why: `${seed} and ${ours} say different things; keep one of them` };
  const value = one ?? other;
  if (value === undefined) return { is: "none" };
  const key = one === undefined ? ours : seed;
  const [, namespace, name] = value.length > longest ? [] : (place.exec(value) ?? []);
  if (namespace === undefined || name === undefined)
    return { is: "unclear", why: `${key} is not of the form namespace/name` };
  return { is: "clear", namespace, name };
}

export function inWords({ namespace, name }: Place): string {
  return `${namespace}/${name}`;
}
