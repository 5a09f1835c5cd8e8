import type { Case } from "../case.ts";
import { bound, bystander, claim, destroyed, look, refused, storageClass, told, withdrawn } from "../objects.ts";

const everywhere = ["host-path", "scripted"] as const;
const fstype = "csi.storage.k8s.io/fstype";

/** What is asked of the driver for a claim, and what is written down of its answer. */
export const requestCases: readonly Case[] = [
  {
    says: "a plain claim is served, and its volume goes with it",
    on: everywhere,
    steps: [storageClass(), claim("data"), bound("data"), look("bound"), ...destroyed("data")],
  },
  {
    says: "a claim for a block volume",
    on: ["scripted"],
    steps: [
      storageClass({ parameters: { [fstype]: "xfs" } }),
      claim("data", { volumeMode: "Block" }),
      bound("data"),
      look("bound"),
      ...destroyed("data"),
    ],
  },
  {
    says: "a claim that only one pod may use",
    on: everywhere,
    steps: [
      storageClass(),
      claim("data", { modes: ["ReadWriteOncePod"] }),
      bound("data"),
      look("bound"),
      ...destroyed("data"),
    ],
  },
  {
    says: "a claim that many nodes read",
    on: everywhere,
    steps: [
      storageClass(),
      claim("data", { modes: ["ReadOnlyMany"] }),
      bound("data"),
      look("bound"),
      ...destroyed("data"),
    ],
  },
  {
    says: "a claim with all the access modes that go together",
    on: ["scripted"],
    steps: [
      storageClass(),
      claim("data", { modes: ["ReadWriteMany", "ReadWriteOnce", "ReadOnlyMany"] }),
      bound("data"),
      look("bound"),
      ...destroyed("data"),
    ],
  },
  {
    says: "mount options of the class",
    on: everywhere,
    steps: [
      storageClass({ mountOptions: ["noatime", "nodiratime"] }),
      claim("data"),
      bound("data"),
      look("bound"),
      ...destroyed("data"),
    ],
  },
  {
    says: "a file system named by the class",
    on: everywhere,
    steps: [
      storageClass({ parameters: { [fstype]: "xfs", tier: "gold" } }),
      claim("data"),
      bound("data"),
      look("bound"),
      ...destroyed("data"),
    ],
  },
  {
    says: "a file system named in the old way, which the driver is told too",
    on: ["scripted"],
    steps: [
      storageClass({ parameters: { FsType: "ext4" } }),
      claim("data"),
      bound("data"),
      look("bound"),
      ...destroyed("data"),
    ],
  },
  {
    says: "a file system named in both ways is refused",
    on: ["scripted"],
    steps: [
      storageClass({ parameters: { fstype: "ext4", [fstype]: "ext4" } }),
      claim("data"),
      refused("data"),
      look("refused"),
      ...withdrawn("data"),
    ],
  },
  {
    says: "a size that is no whole number of bytes is rounded up",
    on: ["scripted"],
    steps: [
      storageClass(),
      claim("data", { size: "16777216500m" }),
      bound("data"),
      look("bound"),
      ...destroyed("data"),
    ],
  },
  {
    says: "a size near the largest there is arrives to the byte",
    on: ["scripted"],
    steps: [
      storageClass(),
      claim("data", { size: "1125899906842623" }),
      bound("data"),
      look("bound"),
      ...destroyed("data"),
    ],
  },
  {
    says: "an unknown key in the reserved prefix is refused",
    on: everywhere,
    steps: [
      storageClass({ parameters: { "csi.storage.k8s.io/colour": "blue" } }),
      claim("data"),
      refused("data"),
      look("refused"),
      ...withdrawn("data"),
    ],
  },
  {
    says: "a claim with a selector is refused",
    on: ["scripted"],
    steps: [
      storageClass(),
      claim("data", { selector: { matchLabels: { shelf: "top" } } }),
      refused("data"),
      look("refused"),
      ...withdrawn("data"),
    ],
  },
  {
    says: "a claim of a class that does not exist is left alone",
    on: everywhere,
    steps: [claim("data"), bystander, look("waiting"), ...withdrawn("data")],
  },
  {
    says: "a claim that names its provisioner is served once its class appears",
    on: ["scripted"],
    steps: [
      claim("data", { annotations: { "volume.kubernetes.io/storage-provisioner": "$driver" } }),
      bystander,
      look("waiting"),
      storageClass(),
      bound("data"),
      look("bound"),
      ...destroyed("data"),
    ],
  },
  {
    says: "a claim for more than the driver has is refused by the driver",
    on: everywhere,
    steps: [storageClass(), claim("data", { size: "2Pi" }), refused("data"), look("refused"), ...withdrawn("data")],
  },
  {
    says: "a claim that the driver says is wrong",
    on: ["scripted"],
    steps: [
      storageClass({ parameters: { "compare/refuse": "INVALID_ARGUMENT" } }),
      claim("data"),
      refused("data"),
      look("refused"),
      ...withdrawn("data"),
    ],
  },
  {
    says: "a claim for which the driver has no room anywhere",
    on: ["scripted"],
    steps: [
      storageClass({ parameters: { "compare/refuse": "RESOURCE_EXHAUSTED" } }),
      claim("data"),
      refused("data"),
      look("refused"),
      ...withdrawn("data"),
    ],
  },
  {
    says: "a claim of another kind of source is left to a populator",
    on: ["scripted"],
    steps: [
      storageClass(),
      claim("data", { dataSourceRef: { apiGroup: "populate.portway.dev", kind: "GitSource", name: "site" } }),
      told("Provisioning", "data"),
      bystander,
      look("waiting"),
      ...withdrawn("data"),
    ],
  },
  {
    says: "two drivers each serve the claims of their own classes",
    on: ["scripted"],
    steps: [
      storageClass({ name: "$case-this" }),
      storageClass({ name: "$case-other", provisioner: "$other" }),
      claim("this", { className: "$case-this" }),
      claim("other", { className: "$case-other" }),
      bound("this"),
      bound("other"),
      look("bound"),
      ...destroyed("this"),
      ...destroyed("other"),
    ],
  },
  {
    says: "a claim of a class that nobody serves is left alone",
    on: ["scripted"],
    steps: [
      storageClass({ provisioner: "nobody.portway.dev" }),
      claim("data"),
      bystander,
      look("waiting"),
      ...withdrawn("data"),
    ],
  },
  {
    says: "a claim that names a volume of its own is left alone",
    on: ["scripted"],
    steps: [
      storageClass(),
      claim("data", { volumeName: "$case-nowhere" }),
      bystander,
      look("waiting"),
      ...withdrawn("data"),
    ],
  },
];
