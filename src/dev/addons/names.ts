/** Every add-on and what it cannot do without, in the order in which they start. */
const needs = {
  "gateway-crds": [],
  "populator-crd": [],
  hostpath: [],
  snapshotter: ["hostpath"],
  provisioner: ["hostpath"],
  versitygw: [],
  "csi-test": [],
} as const satisfies Record<string, readonly string[]>;

export type AddonName = keyof typeof needs;

export const addonNames = Object.keys(needs) as readonly AddonName[];

/** The add-ons asked for and those they need, each once, in starting order. */
export function withNeeded(asked: readonly AddonName[]): readonly AddonName[] {
  const wanted = new Set<AddonName>(asked.flatMap((name) => [name, ...needs[name]]));
  return addonNames.filter((name) => wanted.has(name));
}
