import type { Expected } from "./expected.ts";

const failed = "events > claim data: Warning ProvisioningFailed > message > 0";
const begins = 'failed to provision volume with StorageClass "$case": ';

const inPlainWords =
  "A refusal begins like upstream's, and then says what is wrong and what to do about it in words of whoever made the claim or the class";

/** What a person is told in each of these cases, in the place of upstream's words. */
const refusals: Readonly<Record<string, string>> = {
  "a file system named in both ways is refused":
    'the class gives the fstype more than once, by "csi.storage.k8s.io/fstype" and "fstype": keep "csi.storage.k8s.io/fstype" alone',
  "an unknown key in the reserved prefix is refused":
    'the class has the unknown parameter key "csi.storage.k8s.io/colour" in the reserved namespace csi.storage.k8s.io/: correct it or take it out',
  "a claim with a selector is refused":
    "a claim with a selector only ever gets a volume that is there already: take the selector out, or have such a volume made",
  "a secret named in both ways is refused":
    'the class names one secret by two keys, an old one and "csi.storage.k8s.io/provisioner-secret-name" or "csi.storage.k8s.io/provisioner-secret-namespace": take the old one out',
  "a secret without its namespace is refused":
    'the class gives only half of a secret: set both "csi.storage.k8s.io/provisioner-secret-name" and "csi.storage.k8s.io/provisioner-secret-namespace"',
  "a secret with an empty name is refused":
    'the class leaves "csi.storage.k8s.io/provisioner-secret-name" or "csi.storage.k8s.io/provisioner-secret-namespace" empty: set both, or take both out',
  "a token that no template knows is refused":
    'the class\'s template "${pvc.colour}" of a secret\'s name has tokens that mean nothing for this claim: "${pvc.colour}"; correct the class, or set the annotation that it asks for',
  "the claim's name in the namespace of a secret is refused":
    'the class\'s template "${pvc.name}" of a secret\'s namespace has tokens that mean nothing for this claim: "${pvc.name}"; correct the class, or set the annotation that it asks for',
  "an annotation that the claim does not have is refused":
    "the class's template \"x-${pvc.annotations['tier']}\" of a secret's name has tokens that mean nothing for this claim: \"${pvc.annotations['tier']}\"; correct the class, or set the annotation that it asks for",
  "a name that no secret can have is refused":
    'the class\'s "Not_A_Name" is not a valid name of a secret: correct the class',
  "a namespace that cannot be one is refused":
    'the class\'s "not.one" is not a valid namespace of a secret: correct the class',
  "a secret that does not exist is refused": "the Secret $case/login, which the class names, is not there: create it",
  "a secret that comes late serves the claim that waited for it":
    "the Secret $case/login, which the class names, is not there: create it",
  "a secret that the role does not let the provisioner read":
    'get secrets/login in $case: secrets "login" is forbidden: User "system:serviceaccount:$home:csi-provisioner" cannot get resource "secrets" in API group "" in the namespace "$case"',
  "a node outside the zones of the class is refused":
    "the selected node $run-east-1 (topology.portway.dev/region=north,topology.portway.dev/zone=east) is not in the allowed topologies of the class",
  "a node that is not there any more is given back to the scheduler": "the node $run-nowhere is gone",
  "a node that the driver does not know": "the driver has registered no topology keys on the selected node $run-bare",
  "a claim smaller than its snapshot is refused":
    "the claim asks for 8388608 bytes, which is less than the 16777216 bytes of the snapshot nightly: ask for more",
  "a block volume of a snapshot of files is refused":
    'the claim asks for volume mode Block, and the snapshot was taken of Filesystem: ask for Filesystem, or have an admin set the annotation snapshot.storage.kubernetes.io/allow-volume-mode-change: "true" on the VolumeSnapshotContent $case-nightly',
  "a change of volume mode that was said no to is refused":
    'the claim asks for volume mode Block, and the snapshot was taken of Filesystem: ask for Filesystem, or have an admin set the annotation snapshot.storage.kubernetes.io/allow-volume-mode-change: "true" on the VolumeSnapshotContent $case-nightly',
  "a snapshot that does not exist is refused":
    "the snapshot nightly is not there: create it, and wait until it is ready",
  "a snapshot that is not ready is refused": "the snapshot nightly is not ready: wait until it is",
  "a snapshot of another driver is refused":
    "the snapshot nightly is not bound to a snapshot of this class's driver: wait until it is ready",
  "a claim smaller than the one it clones is refused":
    "a clone is at least as big as its source: source has 16777216 bytes, and the claim asks for 8388608",
  "a block volume of a claim with files is refused":
    "a clone has the volume mode of its source: source is Filesystem, and the claim asks for Block",
  "files of a claim with a block volume are refused":
    "a clone has the volume mode of its source: source is Block, and the claim asks for Filesystem",
  "a claim that does not exist is refused":
    "the source claim source is not there: create it, and wait until it is bound",
  "a claim that is not bound itself is refused":
    "the source claim source must be Bound and is Pending: wait until it is bound",
  "a claim of another driver is refused":
    "the source claim source is not bound, or its volume cannot be cloned by the driver of this class",
};

const quoted: Expected = {
  cases: ["a driver that quotes the secret when it refuses"],
  where: failed,
  go: `${begins}rpc error: code = PermissionDenied desc = the class says so to correct horse`,
  ours: `${begins}rpc error: code = PermissionDenied desc = the class says so to ***stripped***`,
  because: "What a driver quotes of the secrets it was sent reaches neither events nor logs",
};

const saidOnce =
  "One event and not two: nothing is provisioned for a source of another kind, so it is not said that something is";
const noSilence = "A claim that nothing happens to says why; upstream's waits without a word";
const toldFirst = "That work on a claim begins is told before anything is looked up for it, whatever comes of it";
const newerKey =
  "The key for secrets to change volumes with came after v5.1.0; one secret for all uses is one for this use too, and is written down as newer versions do";
const identity =
  "An event names the process by the identity that its volumes carry, so that one is found by the other; upstream makes up another id for it";

/** Everything that ours does differently from external-provisioner v5.1.0, and why. */
export const differences: readonly Expected[] = [
  ...Object.entries(refusals).map(([one, ours]) => ({
    cases: [one],
    where: failed,
    go: "*",
    ours: `${begins}${ours}`,
    because: inPlainWords,
  })),
  quoted,
  {
    cases: ["a claim that names its provisioner is served once its class appears"],
    where: failed,
    ours: "There is no StorageClass $case. Create the class, or make the claim anew with another one.",
    because: noSilence,
  },
  {
    cases: ["a claim that names its provisioner is served once its class appears"],
    where: "events > claim data: Warning ProvisioningFailed > from > 0",
    ours: "$driver_<host>_<identity of $driver>",
    because: noSilence,
  },
  {
    cases: ["a claim of another kind of source is left to a populator"],
    where: "events > claim data: Normal Provisioning > message > 1",
    go: 'External provisioner is provisioning volume for claim "$case/data"',
    because: saidOnce,
  },
  {
    cases: ["a claim of another kind of source is left to a populator"],
    where: "events > claim data: Normal Provisioning > from > 1",
    go: "external-provisioner",
    because: saidOnce,
  },
  {
    cases: ["a node that is not there any more is given back to the scheduler"],
    where: "events > claim data: Normal Provisioning > message > 0",
    ours: 'External provisioner is provisioning volume for claim "$case/data"',
    because: toldFirst,
  },
  {
    cases: ["a node that is not there any more is given back to the scheduler"],
    where: "events > claim data: Normal Provisioning > from > 0",
    ours: "$driver_<host>_<identity of $driver>",
    because: toldFirst,
  },
  {
    cases: ["one secret named for all uses", "a secret for one use wins over the one for all uses"],
    where:
      "looks > bound > volumes > data > metadata > annotations > volume.kubernetes.io/controller-modify-secret-name",
    ours: "login",
    because: newerKey,
  },
  {
    cases: ["one secret named for all uses", "a secret for one use wins over the one for all uses"],
    where:
      "looks > bound > volumes > data > metadata > annotations > volume.kubernetes.io/controller-modify-secret-namespace",
    ours: "$case",
    because: newerKey,
  },
  {
    cases: ["*"],
    where: "events > * > from > 0",
    go: "$*_<host>_<uuid>",
    ours: "$*_<host>_<identity of $*>",
    because: identity,
  },
];
