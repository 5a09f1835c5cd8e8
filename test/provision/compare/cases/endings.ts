import type { Case, Step } from "../case.ts";
import {
  attachment,
  bound,
  bystander,
  claim,
  deleted,
  destroyed,
  look,
  staticVolume,
  storageClass,
  told,
} from "../objects.ts";

const everywhere = ["host-path", "scripted"] as const;
const served: readonly Step[] = [storageClass(), claim("data"), bound("data")];
const claimGone: readonly Step[] = [deleted("PersistentVolumeClaim", "data"), { do: "claim-gone", claim: "data" }];
const policy = (policy: "Delete" | "Retain"): Step => ({ do: "set-policy", policy, claim: "data" });
const held = (held: boolean): Step => ({ do: "volume-held", held, claim: "data" });
const released: Step = { do: "volume-is", phase: "Released", claim: "data" };
const gone: Step = { do: "volume-gone", claim: "data" };
const byHand: Step = { do: "bound-by-hand", claim: "data" };

/** What becomes of volumes in the end. */
export const endingCases: readonly Case[] = [
  {
    says: "a volume of a class that retains outlives its claim",
    on: everywhere,
    steps: [
      storageClass({ reclaimPolicy: "Retain" }),
      claim("data"),
      bound("data"),
      look("bound"),
      ...claimGone,
      released,
      bystander,
      look("released"),
    ],
  },
  {
    says: "a retained volume is destroyed once its policy says so",
    on: ["scripted"],
    steps: [
      storageClass({ reclaimPolicy: "Retain" }),
      claim("data"),
      bound("data"),
      ...claimGone,
      released,
      policy("Delete"),
      gone,
    ],
  },
  {
    says: "a policy that is turned to Retain and back takes the finalizer off and on",
    on: everywhere,
    steps: [
      ...served,
      policy("Retain"),
      held(false),
      look("retained"),
      policy("Delete"),
      held(true),
      look("back"),
      ...destroyed("data"),
    ],
  },
  {
    says: "a volume whose policy was turned to Retain outlives its claim",
    on: ["scripted"],
    steps: [...served, policy("Retain"), held(false), ...claimGone, released, bystander, look("released")],
  },
  {
    says: "a volume that is deleted before its claim is destroyed with it",
    on: everywhere,
    steps: [...served, { do: "delete-volume", claim: "data" }, bystander, look("leaving"), ...claimGone, gone],
  },
  {
    says: "a volume written down by an administrator is held, until its policy is Retain",
    on: ["scripted"],
    steps: [
      storageClass(),
      staticVolume({ claim: "data" }),
      claim("data", { volumeName: "$case-static" }),
      byHand,
      held(true),
      look("bound"),
      policy("Retain"),
      held(false),
      ...claimGone,
      released,
      look("released"),
    ],
  },
  {
    says: "a volume written down by an administrator in the driver's name is destroyed with its claim",
    on: ["scripted"],
    steps: [
      storageClass(),
      staticVolume({ claim: "data", annotations: { "pv.kubernetes.io/provisioned-by": "$driver" } }),
      claim("data", { volumeName: "$case-static" }),
      byHand,
      held(true),
      look("bound"),
      ...claimGone,
      gone,
    ],
  },
  {
    says: "a volume of another driver is left alone",
    on: ["scripted"],
    steps: [
      storageClass(),
      staticVolume({ claim: "data", annotations: { "pv.kubernetes.io/provisioned-by": "nobody.portway.dev" } }),
      claim("data", { volumeName: "$case-static" }),
      byHand,
      bystander,
      look("bound"),
      ...claimGone,
      released,
    ],
  },
  {
    says: "a volume that is attached to a node is destroyed when it no longer is",
    on: ["scripted"],
    steps: [
      ...served,
      attachment("$volume-of-data"),
      ...claimGone,
      told("VolumeFailedDelete", "data", "volume"),
      look("attached"),
      deleted("VolumeAttachment", "$case"),
      gone,
    ],
  },
  {
    says: "a volume that the driver does not let go is tried again",
    on: ["scripted"],
    steps: [
      ...served,
      { do: "publish", claim: "data" },
      ...claimGone,
      told("VolumeFailedDelete", "data", "volume"),
      look("refused"),
      { do: "unpublish", claim: "data" },
      gone,
    ],
  },
];
