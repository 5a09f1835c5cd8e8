import type { Case, StationKind, Step } from "../case.ts";
import {
  bound,
  claim,
  destroyed,
  fromClaim,
  fromSnapshot,
  look,
  refused,
  storageClass,
  withdrawn,
} from "../objects.ts";

const everywhere = ["host-path", "scripted"] as const;
const modeChange = "snapshot.storage.kubernetes.io/allow-volume-mode-change";
const source: readonly Step[] = [storageClass(), claim("source"), bound("source")];
const snapshot: Step = { do: "take-snapshot", snapshot: "nightly", claim: "source" };
const nightly = { dataSource: fromSnapshot("nightly") };
const clone = { dataSource: fromClaim("source") };

type Wish = Parameters<typeof claim>[1];

function refusedFrom(
  says: string,
  before: readonly Step[],
  wish: Wish,
  on: readonly StationKind[] = ["scripted"],
): Case {
  const steps = [...before, claim("data", wish), refused("data"), look("refused"), ...withdrawn("data")];
  return { says, on, steps };
}

export const snapshotCases: readonly Case[] = [
  {
    says: "a claim restores a snapshot",
    on: everywhere,
    steps: [
      ...source,
      snapshot,
      claim("data", nightly),
      bound("data"),
      look("bound"),
      ...destroyed("data"),
      ...destroyed("source"),
    ],
  },
  {
    says: "a claim larger than its snapshot restores it",
    on: ["scripted"],
    steps: [
      ...source,
      snapshot,
      claim("data", { ...nightly, size: "32Mi" }),
      bound("data"),
      look("bound"),
      ...destroyed("data"),
    ],
  },
  {
    says: "a snapshot is restored although its source is gone",
    on: ["scripted"],
    steps: [
      ...source,
      snapshot,
      ...destroyed("source"),
      claim("data", nightly),
      bound("data"),
      look("bound"),
      ...destroyed("data"),
    ],
  },
  refusedFrom(
    "a claim smaller than its snapshot is refused",
    [...source, snapshot],
    { ...nightly, size: "8Mi" },
    everywhere,
  ),
  refusedFrom("a block volume of a snapshot of files is refused", [...source, snapshot], {
    ...nightly,
    volumeMode: "Block",
  }),
  refusedFrom(
    "a change of volume mode that was said no to is refused",
    [...source, { ...snapshot, annotations: { [modeChange]: "false" } }],
    { ...nightly, volumeMode: "Block" },
  ),
  {
    says: "a change of volume mode that was allowed",
    on: ["scripted"],
    steps: [
      ...source,
      { ...snapshot, annotations: { [modeChange]: "true" } },
      claim("data", { ...nightly, volumeMode: "Block" }),
      bound("data"),
      look("bound"),
      ...destroyed("data"),
    ],
  },
  refusedFrom("a snapshot that does not exist is refused", source, nightly, everywhere),
  refusedFrom("a snapshot that is not ready is refused", [...source, { ...snapshot, ready: false }], nightly),
  refusedFrom("a snapshot of another driver is refused", [...source, { ...snapshot, driver: "$other" }], nightly),
];

export const cloneCases: readonly Case[] = [
  {
    says: "a claim clones another one, which is protected until it goes",
    on: everywhere,
    steps: [
      ...source,
      claim("data", clone),
      bound("data"),
      look("bound"),
      ...destroyed("source"),
      ...destroyed("data"),
    ],
  },
  {
    says: "a claim of another class of the same driver clones",
    on: ["scripted"],
    steps: [
      ...source,
      storageClass({ name: "$case-second", reclaimPolicy: "Delete", mountOptions: ["noatime"] }),
      claim("data", { ...clone, className: "$case-second", size: "32Mi" }),
      bound("data"),
      look("bound"),
      ...destroyed("data"),
    ],
  },
  refusedFrom("a claim smaller than the one it clones is refused", source, { ...clone, size: "8Mi" }, everywhere),
  refusedFrom("a block volume of a claim with files is refused", source, { ...clone, volumeMode: "Block" }),
  refusedFrom(
    "files of a claim with a block volume are refused",
    [storageClass(), claim("source", { volumeMode: "Block" }), bound("source")],
    clone,
  ),
  refusedFrom("a claim that does not exist is refused", [storageClass()], clone),
  refusedFrom(
    "a claim that is not bound itself is refused",
    [
      storageClass(),
      storageClass({ name: "$case-nobody", provisioner: "nobody.portway.dev" }),
      claim("source", { className: "$case-nobody" }),
    ],
    clone,
  ),
  refusedFrom(
    "a claim of another driver is refused",
    [
      storageClass(),
      storageClass({ name: "$case-other", provisioner: "$other" }),
      claim("source", { className: "$case-other" }),
      bound("source"),
    ],
    clone,
  ),
];
