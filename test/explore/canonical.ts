import { hash } from "node:crypto";
import type { Server } from "./model/server.ts";
import { pendingIn, type View } from "./views.ts";
import type { Process, World } from "./world.ts";

/**
 * One text for all worlds that differ only in how they came to be: uids are named in the order of their appearance,
 * versions by their rank. Nothing that can make a difference later may be left out of it.
 */
export function canonical(world: World): string {
  const { server, processes, delayed, delays, done } = world;
  const parts = [
    serverText(server),
    ...processes.map((process) => processText(server, process)),
    ...delayed.map(textOf).sort(),
    `${delays} ${server.seconds}`,
    done.join(","),
  ];
  return renamed(parts.join("\n"));
}

export function hashOf(world: World): string {
  return hash("md5", canonical(world), "base64");
}

const texts = new WeakMap<object, string>();

/** Objects are never changed, so what was written down once stays true. */
function textOf(object: object): string {
  const known = texts.get(object);
  if (known !== undefined) return known;
  const text = JSON.stringify(object, sorted);
  texts.set(object, text);
  return text;
}

/** Two equal objects are written alike, whatever order their members came in. */
function sorted(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function serverText({ objects, applied, destroyed }: Server): string {
  const places = [...objects.keys()].sort();
  const lines = places.map((place) => `${place} ${textOf(objects.get(place) ?? {})}`);
  const alive = new Set([...objects.values()].map(({ metadata }) => metadata.uid));
  // An object that is gone never comes back under its uid, so nobody's claim on its fields matters.
  const claims = [...applied].filter(([record]) => alive.has(record.split(" ")[0] ?? ""));
  return [...lines, ...claims.map(([record, wish]) => `${record} ${textOf(wish)}`).sort(), ...destroyed].join("\n");
}

function processText(server: Server, { name, leads, views, memories }: Process): string {
  const remembered = [...memories].map(([key, memory]) => `${key} ${JSON.stringify(memory)}`).sort();
  return [`${name} ${leads}`, ...views.map((view) => viewText(server, view)), ...remembered].join("\n");
}

/** Its position is not written down: what has still to be told says all that follows from it. */
function viewText(server: Server, view: View): string {
  const current = new Set<object>(server.objects.values());
  const told = [...view.told].map(([key, object]) => (current.has(object) ? key : `${key} ${textOf(object)}`)).sort();
  const pending = pendingIn(server, view).map(({ type, object }) => `${type} ${textOf(object)}`);
  const own = view.own.map((one) => ("wrote" in one ? `wrote ${textOf(one.wrote)}` : `ended ${textOf(one.ended)}`));
  return [view.resource.plural, ...told, ...pending, ...own].join("\n");
}

const versionsIn = /7\d{10}/g;
const uidsIn = /uid-\d+/g;

function renamed(text: string): string {
  const uids = new Map<string, string>();
  const versions = [...new Set(text.match(versionsIn) ?? [])].sort();
  const ranks = new Map(versions.map((version, rank) => [version, `v${rank}`]));
  return text
    .replaceAll(versionsIn, (version) => ranks.get(version) ?? version)
    .replaceAll(uidsIn, (uid) => {
      const name = uids.get(uid) ?? `u${uids.size}`;
      uids.set(uid, name);
      return name;
    });
}
