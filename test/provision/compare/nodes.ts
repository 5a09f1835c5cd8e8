import { nodes } from "../../../src/api/gen/core.ts";
import { csiNodes } from "../../../src/api/gen/storage.ts";
import type { Client } from "../../../src/kube/client.ts";
import { keyOf } from "../../fixture/client.ts";
import type { StationKind } from "./case.ts";

export const zoneKeys = ["topology.portway.dev/region", "topology.portway.dev/zone"] as const;
const hostPathKey = "topology.hostpath.csi/node";

interface Place {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Where the drivers of these stations run. */
  readonly has: readonly StationKind[];
}

const inZone = (zone: string) => ({ [zoneKeys[0]]: "north", [zoneKeys[1]]: zone });
const zoned: readonly StationKind[] = ["zones", "strict"];

const places = (run: string): readonly Place[] => [
  { name: "east-1", labels: { ...inZone("east"), [hostPathKey]: `${run}-east-1` }, has: [...zoned, "host-path"] },
  { name: "east-2", labels: inZone("east"), has: zoned },
  { name: "west-1", labels: inZone("west"), has: zoned },
  { name: "bare", labels: {}, has: [] },
];

const topologyKeys = (kind: StationKind) => (kind === "host-path" ? [hostPathKey] : [...zoneKeys]);

/** Nodes of the run, which nobody reports for: they are declared ready, and know the drivers that run on them. */
export async function declareNodes(
  admin: Client,
  run: string,
  driversOf: (kind: StationKind) => readonly string[],
): Promise<void> {
  for (const place of places(run)) {
    const name = `${run}-${place.name}`;
    await admin.create(nodes, { metadata: { name, labels: { "kubernetes.io/hostname": name, ...place.labels } } });
    await admin.merge(nodes, { name }, { spec: { taints: null } });
    await admin.merge(nodes, { name }, { status: readyStatus }, { subresource: "status" });
    const drivers = place.has.flatMap((kind) =>
      driversOf(kind).map((driver) => ({ name: driver, nodeID: name, topologyKeys: topologyKeys(kind) })),
    );
    await admin.create(csiNodes, { metadata: { name }, spec: { drivers } });
  }
}

export async function removeNodes(admin: Client, run: string): Promise<void> {
  for (const { name } of places(run)) {
    const key = { name: `${run}-${name}` };
    const [node, csiNode] = [await admin.find(nodes, key), await admin.find(csiNodes, key)];
    if (csiNode !== undefined) await admin.delete(csiNodes, keyOf(csiNode));
    if (node !== undefined) await admin.delete(nodes, keyOf(node));
  }
}

const room = { cpu: "8", memory: "16Gi", pods: "500" };
const readyStatus = {
  conditions: [{ type: "Ready", status: "True", reason: "Declared", message: "no kubelet runs here" }],
  allocatable: room,
  capacity: room,
};
