import { deepEqual, equal, match } from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { test } from "node:test";
import { load } from "js-yaml";
import { blocks, textOf } from "./blocks.ts";

test("all 19 blocks of the five seeds are there, each once", async () => {
  const counts = Object.groupBy(blocks, ({ at }) => at.slice(0, 3));
  deepEqual(Object.fromEntries(Object.entries(counts).map(([seed, list]) => [seed, list?.length])), {
    "000": 4,
    "001": 2,
    "002": 3,
    "003": 4,
    "004": 6,
  });
  const files = await readdir(new URL("blocks/", import.meta.url));
  deepEqual(
    files.sort(),
    blocks.map(({ at }) => `${at}.yaml`),
  );
});

test("every block has a kind and text of its own", async () => {
  const texts = await Promise.all(blocks.map(textOf));
  for (const text of texts) match(text, /^kind: \w+$/m);
  equal(new Set(texts).size, blocks.length);
});

test("a block is pending by the name of a feature, or works", () => {
  for (const { at, state, waitsFor } of blocks) equal(state === "works", waitsFor === undefined, at);
});

test("give and accept, the request and its approval, and buckets work; the cluster tests beside this one paste them", () => {
  const working = blocks.filter(({ state }) => state === "works");
  deepEqual(
    working.map(({ at }) => at),
    ["000-1", "000-2", "000-3", "000-4", "001-1", "001-2", "002-1", "002-2", "002-3"],
  );
});

test("the request and the approval as they are printed agree in all six points", async () => {
  const [request, approval] = [await printed("001-1"), await printed("001-2")];
  equal(request.metadata.name, approval.spec["requestName"]);
  equal(request.metadata.namespace, approval.spec["targetNamespace"]);
  equal(request.spec.source.namespace, approval.metadata.namespace);
  equal(request.spec.source.name, approval.spec.source.name);
  equal(request.spec.source.kind, approval.spec.source.kind);
  equal(request.spec["approvalName"], approval.metadata.name);
});

interface Printed {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: Readonly<Record<string, unknown>> & {
    readonly source: { readonly name: string; readonly namespace?: string; readonly kind: string };
  };
}

async function printed(at: string): Promise<Printed> {
  const block = blocks.find((one) => one.at === at);
  if (block === undefined) throw new Error(`there is no block ${at}`);
  return load(await textOf(block)) as Printed;
}
