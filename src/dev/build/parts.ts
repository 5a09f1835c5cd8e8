/** What can be built, from which committed Go module, with which link flags. Versions live in the go.mod files only. */
export interface Part {
  readonly name: string;
  /** Folder below `go/`. */
  readonly folder: string;
  /** Another go.mod than the folder's own, below the folder: the same sources against other versions. */
  readonly modFile?: string;
  /** Go packages, each built to a program named after its last path element. */
  readonly packages: readonly string[];
  /** Further names of a multi-call program. */
  readonly links: readonly string[];
  /** Link-time variables; `VERSION`, `MAJOR`, `MINOR` stand for the version of `stampedWith` in go.mod. */
  readonly stamps: readonly string[];
  readonly stampedWith?: string;
  /** Files taken out of a module as they are: CRDs and the roles upstream ships. */
  readonly files: readonly { readonly module: string; readonly path: string }[];
}

export const defaultKubernetes = "1.36";
export const olderKubernetes = ["1.35", "1.34", "1.33"] as const;
export const kubernetesPrograms = [
  "etcd",
  "kube-apiserver",
  "kube-controller-manager",
  "kube-scheduler",
  "kubelet",
  "kubectl",
] as const;

const snapshotter = "github.com/kubernetes-csi/external-snapshotter";

const ofKubernetes = {
  stampedWith: "k8s.io/kubernetes",
  // Without these the server decides its features as v0.0.0-master.
  stamps: ["k8s.io/component-base/version", "k8s.io/client-go/pkg/version"].flatMap((pkg) => [
    `${pkg}.gitVersion=VERSION`,
    `${pkg}.gitMajor=MAJOR`,
    `${pkg}.gitMinor=MINOR`,
  ]),
} as const;

export function controlPlane(kubernetes: string): Part {
  const older = kubernetes !== defaultKubernetes;
  return {
    name: older ? `controlplane-${kubernetes}` : "controlplane",
    folder: "controlplane",
    ...(older ? { modFile: `${kubernetes}/go.mod` } : {}),
    packages: ["."],
    links: kubernetesPrograms,
    ...ofKubernetes,
    files: [],
  };
}

const plain = { links: [], stamps: [], files: [] } as const;

export const addonParts = {
  hostpath: {
    ...plain,
    name: "hostpath",
    folder: "hostpath",
    packages: ["github.com/kubernetes-csi/csi-driver-host-path/cmd/hostpathplugin"],
    stampedWith: "github.com/kubernetes-csi/csi-driver-host-path",
    // Without a version GetPluginInfo answers Unavailable.
    stamps: ["main.version=VERSION"],
  },
  provisioner: {
    ...plain,
    name: "provisioner",
    folder: "provisioner",
    packages: ["github.com/kubernetes-csi/external-provisioner/v5/cmd/csi-provisioner"],
    files: [{ module: "github.com/kubernetes-csi/external-provisioner/v5", path: "deploy/kubernetes/rbac.yaml" }],
  },
  snapshotter: {
    ...plain,
    name: "snapshotter",
    folder: "snapshotter",
    packages: [`${snapshotter}/v8/cmd/snapshot-controller`, `${snapshotter}/v8/cmd/csi-snapshotter`],
    files: [
      ...["volumesnapshotclasses", "volumesnapshotcontents", "volumesnapshots"].map((plural) => ({
        module: `${snapshotter}/client/v8`,
        path: `config/crd/snapshot.storage.k8s.io_${plural}.yaml`,
      })),
      { module: `${snapshotter}/v8`, path: "deploy/kubernetes/snapshot-controller/rbac-snapshot-controller.yaml" },
      { module: `${snapshotter}/v8`, path: "deploy/kubernetes/csi-snapshotter/rbac-csi-snapshotter.yaml" },
    ],
  },
  versitygw: {
    ...plain,
    name: "versitygw",
    folder: "versitygw",
    packages: ["github.com/versity/versitygw/cmd/versitygw"],
  },
  // Two parts, because the mock driver compiles only against an older CSI specification than the suite needs.
  "csi-mock": {
    ...plain,
    name: "csi-mock",
    folder: "csi-mock",
    packages: ["github.com/kubernetes-csi/csi-test/v4/cmd/mock-driver"],
  },
  "csi-sanity": {
    ...plain,
    name: "csi-sanity",
    folder: "csi-sanity",
    packages: ["github.com/kubernetes-csi/csi-test/v5/cmd/csi-sanity"],
  },
  "gateway-crds": {
    ...plain,
    name: "gateway-crds",
    folder: "gateway-crds",
    packages: [],
    files: [
      {
        module: "sigs.k8s.io/gateway-api",
        path: "config/crd/standard/gateway.networking.k8s.io_referencegrants.yaml",
      },
    ],
  },
} as const satisfies Record<string, Part>;

/** The peer of the benchmark: informers of the very client-go that the control plane is made of. */
export const informer: Part = { ...plain, name: "informer", folder: "controlplane", packages: ["./informer"] };

/** The peer of the command line: kubectl as it is released, for the one in the control plane starts with all of that. */
export const kubectlAlone: Part = {
  ...plain,
  ...ofKubernetes,
  name: "kubectl",
  folder: "controlplane",
  packages: ["k8s.io/kubernetes/cmd/kubectl"],
};

export const allParts: readonly Part[] = [
  controlPlane(defaultKubernetes),
  ...Object.values(addonParts),
  informer,
  kubectlAlone,
  ...olderKubernetes.map(controlPlane),
];

/** The link flags with the version that go.mod pins, so that a version is written down once. */
export function linkFlagsOf(part: Part, goMod: string): string {
  const version = part.stampedWith === undefined ? "" : versionIn(goMod, part.stampedWith);
  const [major = "", minor = ""] = version.replace(/^v/, "").split(".");
  const filled = part.stamps.map((s) => s.replace("VERSION", version).replace("MAJOR", major).replace("MINOR", minor));
  return ["-s -w", ...filled.map((stamp) => `-X ${stamp}`)].join(" ");
}

function versionIn(goMod: string, module: string): string {
  const line = goMod.split("\n").find(
    (l) =>
      !l.includes("=>") &&
      l
        .trim()
        .replace(/^require /, "")
        .startsWith(`${module} v`),
  );
  const version = line
    ?.trim()
    .replace(/^require /, "")
    .split(" ")[1];
  if (version === undefined) throw new Error(`go.mod does not pin ${module}`);
  return version;
}
