import type { Secret } from "../../src/api/gen/core.ts";
import type { Bucket, BucketContent } from "../../src/api/gen/cosi.ts";
import type { KubeObject, Stored } from "../../src/api/object.ts";
import type { Version } from "../faults/monitor/version.ts";
import { condition } from "./scene.ts";

/** What every stored version has changed, in words: what the seed's numbered steps are compared with. */
export function deedsIn(history: readonly Version[], driverNamespace: string): readonly string[] {
  const before = new Map<string, readonly string[]>();
  const deeds: string[] = [];
  for (const { resource, key, type, object } of history) {
    const who = nameOf(resource, object, driverNamespace);
    const facts = type === "DELETED" ? [] : factsOf(resource, object);
    const place = `${resource} ${key}`;
    const known = before.get(place);
    const news = facts.filter((fact) => known?.includes(fact) !== true);
    if (type === "DELETED") deeds.push(`${who} is gone`);
    else if (known === undefined) deeds.push([`${who} is there`, ...news].join(", "));
    else if (news.length > 0) deeds.push(`${who}: ${news.join(", ")}`);
    before.set(place, facts);
  }
  return deeds;
}

function nameOf(resource: string, { metadata }: Stored<KubeObject>, driverNamespace: string): string {
  if (resource === "buckets") return "the Bucket";
  if (resource === "bucketcontents") return "the content";
  return metadata.namespace === driverNamespace ? "the driver's Secret" : "the user's Secret";
}

/** Phases that are told only when something takes long are left out. */
function factsOf(resource: string, object: Stored<KubeObject>): readonly string[] {
  const leaving = object.metadata.deletionTimestamp === undefined ? [] : ["is to go"];
  const held = object.metadata.finalizers?.includes("cosi.io/finalizer") === true ? ["held"] : [];
  if (resource === "secrets") return secretFacts(object);
  const more =
    resource === "buckets" ? bucketFacts(object as Stored<Bucket>) : contentFacts(object as Stored<BucketContent>);
  return [...held, ...more, ...leaving];
}

function secretFacts({ metadata, data = {} }: Stored<Secret>): readonly string[] {
  const [owner] = metadata.ownerReferences ?? [];
  return [`owned by the ${owner?.kind ?? "nobody"}`, ...("accessSecretKey" in data ? ["with keys"] : [])];
}

function bucketFacts({ status }: Stored<Bucket>): readonly string[] {
  return status?.phase === "Bound" && status.bucketContentName !== undefined ? ["bound to its content"] : [];
}

function contentFacts({ spec, status }: Stored<BucketContent>): readonly string[] {
  const is = (type: string) => condition({ status: status ?? {} }, type)?.status === "True";
  return [
    ...(spec.bucketClassName === "" ? [] : ["of a class"]),
    ...(spec.secretRef === undefined ? [] : ["names a Secret"]),
    ...(is("ProvisioningStarted") ? ["begun"] : []),
    ...(is("AccessGranted") ? ["ready"] : []),
    ...(status?.phase === "Bound" ? ["bound"] : []),
    ...(is("BucketLeaving") ? ["its Bucket goes"] : []),
    ...(is("Released") ? ["released"] : []),
  ];
}
