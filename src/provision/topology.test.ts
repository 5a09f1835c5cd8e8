import { deepEqual, equal, ok } from "node:assert/strict";
import { test } from "node:test";
import {
  array,
  assert,
  boolean,
  constantFrom,
  nat,
  option,
  property,
  record,
  shuffledSubarray,
  stringMatching,
} from "fast-check";
import { type LabelledNode, type NodeDrivers, type TopologyQuestion, topologyFor } from "./topology.ts";
import { hashOf, isWithin, spreadOf, textOf } from "./topology-terms.ts";

const driverName = "disk.example.com";

function aNode(name: string, labels: Readonly<Record<string, string>>): LabelledNode {
  return { metadata: { name, labels } };
}

function aCSINode(name: string, topologyKeys: readonly string[], driver = driverName): NodeDrivers {
  return { metadata: { name }, spec: { drivers: [{ name: driver, topologyKeys }] } };
}

function allow(...terms: readonly Readonly<Record<string, readonly string[]>>[]) {
  return terms.map((term) => ({
    matchLabelExpressions: Object.entries(term).map(([key, values]) => ({ key, values })),
  }));
}

const threeZones = {
  nodes: [
    aNode("n3", { zone: "c" }),
    aNode("n1", { zone: "a" }),
    aNode("n2", { zone: "b" }),
    aNode("n4", { zone: "b" }),
  ],
  csiNodes: ["n1", "n2", "n3", "n4"].map((name) => aCSINode(name, ["zone"])),
};

const plain: TopologyQuestion = {
  driverName,
  claimName: "data",
  bindingMode: "Immediate",
  allowedTopologies: undefined,
  strict: false,
  immediateTopology: true,
  ...threeZones,
};
const onSecond: TopologyQuestion = { ...plain, bindingMode: "WaitForFirstConsumer", selectedNode: "n2" };

function inWords(question: TopologyQuestion): string {
  const topology = topologyFor(question);
  if (topology.is === "refused") return `refused: ${topology.because}`;
  if (topology.is !== "requirement") return topology.is;
  const list = (all: readonly Readonly<Record<string, string>>[]) => all.map(textOf).join(" ");
  return `${list(topology.requisite)} | ${list(topology.preferred)}`;
}

const cases: readonly (readonly [says: string, question: TopologyQuestion, words: string])[] = [
  ["all places, the selected node's first", onSecond, "zone=a zone=b zone=c | zone=b zone=c zone=a"],
  ["only the selected node's place if that is strict", { ...onSecond, strict: true }, "zone=b | zone=b"],
  [
    "what the class allows, the selected node's first",
    { ...onSecond, allowedTopologies: allow({ zone: ["d", "b", "a"] }) },
    "zone=a zone=b zone=d | zone=b zone=d zone=a",
  ],
  [
    "a place that the class allows and that says less than the node",
    {
      ...onSecond,
      nodes: [aNode("n2", { zone: "b", rack: "1" })],
      csiNodes: [aCSINode("n2", ["zone", "rack"])],
      allowedTopologies: allow({ zone: ["a", "b"] }),
    },
    "zone=a zone=b | zone=b zone=a",
  ],
  [
    "a node that the class does not allow is refused",
    { ...onSecond, allowedTopologies: allow({ zone: ["a", "d"] }) },
    "refused: the selected node n2 (zone=b) is not in the allowed topologies of the class",
  ],
  [
    "a node that the class does not allow is refused if that is strict",
    { ...onSecond, strict: true, allowedTopologies: allow({ zone: ["a"] }) },
    "refused: the selected node n2 (zone=b) is not in the allowed topologies of the class",
  ],
  [
    "one value of every key",
    { ...plain, claimName: "x-0", allowedTopologies: allow({ zone: ["b", "a"], rack: ["2", "1"] }, { zone: ["a"] }) },
    "zone=a rack=1,zone=a rack=1,zone=b rack=2,zone=a rack=2,zone=b",
  ],
  ["nothing for terms that say nothing", { ...onSecond, allowedTopologies: [{}] }, "none"],
  ["nothing for terms that say nothing, without a node", { ...plain, allowedTopologies: [{}] }, "none"],
  ["a node that is gone", { ...onSecond, nodes: [] }, "node-gone"],
  ["a CSINode that is gone", { ...onSecond, csiNodes: [aCSINode("n1", ["zone"])] }, "node-gone"],
  [
    "a node that the driver has not registered on",
    { ...onSecond, csiNodes: [aCSINode("n2", ["zone"], "other.example.com")] },
    "refused: the driver has registered no topology keys on the selected node n2",
  ],
  [
    "a node without the labels",
    { ...onSecond, nodes: [aNode("n2", { rack: "1" })] },
    "refused: the selected node n2 lacks a label of zone",
  ],
  [
    "nobody has chosen a node for a claim that waits for that",
    { ...plain, bindingMode: "WaitForFirstConsumer" },
    "refused: no node has been chosen for its first consumer yet",
  ],
  ["nothing for a driver that knows where", { ...plain, immediateTopology: false }, "none"],
  [
    "what the class allows also for a driver that knows where",
    { ...plain, immediateTopology: false, allowedTopologies: allow({ zone: ["a"] }) },
    "zone=a | zone=a",
  ],
  [
    "the selected node also for a driver that knows where",
    { ...onSecond, immediateTopology: false },
    "zone=a zone=b zone=c | zone=b zone=c zone=a",
  ],
  [
    "no driver on any node",
    { ...plain, csiNodes: [aCSINode("n1", [])] },
    "refused: the driver has registered no topology keys on any node yet",
  ],
  ["keys that no node carries", { ...plain, nodes: [aNode("n1", {})] }, "refused: no node has the labels zone"],
  [
    "the keys of the first CSINode by name",
    {
      ...plain,
      nodes: [aNode("n1", { zone: "a", rack: "1" })],
      csiNodes: [aCSINode("n2", ["rack"]), aCSINode("n1", ["zone"]), aCSINode("n0", [])],
    },
    "zone=a | zone=a",
  ],
];

for (const [says, question, words] of cases) {
  test(says, () => {
    const said = inWords(question);
    // Where the spread is the claim's, another test tells it.
    equal(words.includes("|") || !said.includes("|") ? said : (said.split(" | ")[0] ?? ""), words);
  });
}

test("the hash is FNV-1 in 32 bits", () => {
  deepEqual(["", "a", "foobar"].map(hashOf), [0x811c9dc5, 0x050c5d7e, 0x31f0b262]);
});

test("claims of one pod of a StatefulSet go to the same place, and its pods one after another", () => {
  equal(spreadOf("data-web-3"), spreadOf("log-web-3"));
  equal(spreadOf("data-web-3"), (hashOf("web") + 3) >>> 0);
  equal(spreadOf("web-3"), spreadOf("data-web-3"));
  const firsts = ["data-web-0", "data-web-1", "data-web-2"].map((claimName) => {
    const topology = topologyFor({ ...plain, claimName });
    return topology.is === "requirement" ? textOf(topology.preferred[0] ?? {}) : "";
  });
  deepEqual(firsts.toSorted(), ["zone=a", "zone=b", "zone=c"]);
});

const wholeNames: readonly (readonly [name: string, why: string])[] = [
  ["data", "it has no ordinal"],
  ["data-x3", "it has no ordinal"],
  ["data-4294967296", "no ordinal is so large"],
  ["data-", "it has no ordinal"],
];
for (const [name, why] of wholeNames) {
  test(`all of the name ${name} counts: ${why}`, () => equal(spreadOf(name), hashOf(name)));
}

test("the sum is one of 32 bits", () => {
  equal(spreadOf("foobar-4294967295"), 0x31f0b262 - 1);
});

const zones = ["a", "b", "c"];
const racks = ["1", "2"];
const node = record(
  { zone: option(constantFrom(...zones)), rack: option(constantFrom(...racks)) },
  { requiredKeys: [] },
);
const worlds = record({
  labels: array(node, { minLength: 1, maxLength: 6 }),
  keys: shuffledSubarray(["zone", "rack"], { minLength: 1 }),
  allowed: option(
    array(record({ zone: shuffledSubarray(zones), rack: shuffledSubarray(racks) }), { minLength: 1, maxLength: 3 }),
  ),
  selected: nat({ max: 7 }),
  strict: boolean(),
  claimName: stringMatching(/^[a-c]{1,2}(-[a-c])?(-[0-9])?$/),
});

function questionOf({ labels, keys, allowed, selected, strict, claimName }: WorldsOf): TopologyQuestion {
  const known = (one: WorldsOf["labels"][number]) =>
    Object.fromEntries(Object.entries(one).flatMap(([key, value]) => (value === null ? [] : [[key, value]])));
  const hasNode = selected < labels.length;
  return {
    ...plain,
    claimName,
    strict,
    bindingMode: hasNode ? "WaitForFirstConsumer" : "Immediate",
    ...(hasNode ? { selectedNode: `n${selected}` } : {}),
    allowedTopologies: allowed === null ? undefined : allow(...allowed),
    nodes: labels.map((one, index) => aNode(`n${index}`, known(one))),
    csiNodes: labels.map((_, index) => aCSINode(`n${index}`, keys)),
  };
}

type WorldsOf = typeof worlds extends { generate: (...words: never[]) => { readonly value: infer T } } ? T : never;

/** Of every world that has a requirement; how many there are is told, so that none is not enough. */
function forRequirements(check: (question: TopologyQuestion, is: Requirement) => void): void {
  let count = 0;
  assert(
    property(worlds, (world) => {
      const question = questionOf(world);
      const topology = topologyFor(question);
      if (topology.is !== "requirement") return;
      count++;
      check(question, topology);
    }),
    { numRuns: 2000, seed: 7 },
  );
  ok(count > 200, `${count} requirements`);
}

type Requirement = Extract<ReturnType<typeof topologyFor>, { readonly is: "requirement" }>;

test("what is preferred is what is required, in another order; nothing is said twice", () => {
  forRequirements((_, { requisite, preferred }) => {
    const texts = requisite.map(textOf);
    deepEqual(preferred.map(textOf).toSorted(), texts.toSorted());
    equal(new Set(texts).size, texts.length);
    ok(!texts.includes(""));
  });
});

test("what is preferred most is where the selected node is", () => {
  forRequirements(({ selectedNode, nodes }, { preferred, requisite }) => {
    if (selectedNode === undefined) return;
    const labels = nodes.find(({ metadata }) => metadata.name === selectedNode)?.metadata.labels ?? {};
    ok(isWithin(preferred[0] ?? { nowhere: "" }, labels));
    ok(requisite.length > 0);
  });
});

test("strict is one place, and the class allows it", () => {
  forRequirements(({ strict, selectedNode, allowedTopologies }, { requisite, preferred }) => {
    if (!strict || selectedNode === undefined) return;
    equal(requisite.length, 1);
    deepEqual(preferred, requisite);
    const isIn = ({ matchLabelExpressions = [] }: NonNullable<typeof allowedTopologies>[number]) =>
      matchLabelExpressions.every(({ key, values }) => values.includes(requisite[0]?.[key] ?? ""));
    ok(allowedTopologies?.some(isIn) ?? true);
  });
});

test("the order in which objects are listed changes nothing", () => {
  forRequirements((question, topology) => {
    const { nodes, csiNodes, allowedTopologies } = question;
    const reversed = {
      ...question,
      nodes: nodes.toReversed(),
      csiNodes: csiNodes.toReversed(),
      allowedTopologies: allowedTopologies?.toReversed(),
    };
    deepEqual(topologyFor(reversed), topology);
  });
});

test("a node on which no driver has registered is as if it had no place, whatever the server writes for that", () => {
  const silent: NodeDrivers = { metadata: { name: "n0" }, spec: { drivers: null } };
  deepEqual(topologyFor({ ...plain, csiNodes: [silent, ...plain.csiNodes] }), topologyFor(plain));
});
