import { hostname } from "node:os";
import { volumeSnapshots } from "../../../src/api/gen/snapshot.ts";
import { claimsIn, type Scene, volumesIn } from "./scene.ts";
import { homeOf } from "./side.ts";
import { replaced, replacing } from "./words.ts";

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

const dropped = ["managedFields"];
const versions = ["resourceVersion"];
const time = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
const uuid = /(?<![0-9a-f])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f])/g;
/** Milliseconds, a number, and the driver's name: made anew at every start. */
const identity = /(?<!\d)\d{13}-\d{1,5}-(\$driver|\$other)/g;

export interface Mask {
  text(text: string): string;
  json(value: unknown): Json;
}

/** What is different in every run, whoever runs it: names, ids, times and versions. All else stays as it is. */
export function maskOf(scene: Scene): Mask {
  const names = replacing([...idsIn(scene), ...wordsBack(scene)]);
  const handles = [...scene.handles].map(([handle, by]) => [wholeWord(handle), by] as const);
  const text = (plain: string) =>
    handles
      .reduce((rest, [handle, by]) => rest.replace(handle, by), names(plain))
      .replaceAll(time, "<time>")
      .replaceAll(identity, "<identity of $1>")
      .replaceAll(uuid, "<uuid>");
  const plain = (value: unknown) => JSON.parse(JSON.stringify(value, withoutVersions)) as Json;
  return { text, json: (value) => inOrder(replaced(plain(value), text)) };
}

function withoutVersions(key: string, value: unknown): unknown {
  if (dropped.includes(key)) return undefined;
  return versions.includes(key) ? "<version>" : value;
}

/** Lists whose order says nothing, and which upstream's fills from maps, whose order is another one every time. */
const sets = ["requisite", "matchExpressions"];

/** Members by their names, and those lists by what is in them. */
export function inOrder(value: Json, name = ""): Json {
  if (isList(value)) {
    const inner = value.map((one) => inOrder(one));
    return sets.includes(name) ? inner.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : inner;
  }
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([key, one]) => [key, inOrder(one, key)] as const);
  return Object.fromEntries(members.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function wordsBack({ words, station, side }: Scene): readonly (readonly [string, string])[] {
  const home = homeOf(side, station.kind);
  const back = Object.entries(words).map(([word, text]) => [text, word] as const);
  return [...back, [home, "$home"], [`_${hostname()}_`, "_<host>_"]];
}

/** Claims first: volumes are named after them. */
function idsIn(scene: Scene): readonly (readonly [string, string])[] {
  const { sight, namespace, handles } = scene;
  const volumes = volumesIn(scene);
  for (const { spec } of volumes)
    if (spec?.csi !== undefined && !spec.csi.volumeHandle.startsWith(namespace))
      handles.set(spec.csi.volumeHandle, `<handle of ${spec.claimRef?.name}>`);
  const snapshots = sight.versions(volumeSnapshots, namespace).map(({ object }) => object);
  return [
    ...claimsIn(scene).map(({ metadata: { uid, name } }) => [uid, `<uid of ${name}>`] as const),
    ...snapshots.map(({ metadata: { uid, name } }) => [uid, `<uid of snapshot ${name}>`] as const),
    ...volumes.map(({ metadata, spec }) => [metadata.uid, `<uid of the volume of ${spec?.claimRef?.name}>`] as const),
  ];
}

function wholeWord(text: string): RegExp {
  return new RegExp(`(?<![\\w-])${RegExp.escape(text)}(?![\\w-])`, "g");
}
