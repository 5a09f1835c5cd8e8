/** Tests that run one after another, most of them on one control plane. Two lanes run side by side. */
export interface Lane {
  readonly name: string;
  readonly files: readonly string[];
  readonly except?: string;
  /** Add-ons of the control plane the lane shares; absent when its tests need none or start their own. */
  readonly cluster?: { readonly with: readonly string[]; readonly "kcm-arg"?: readonly string[] };
  /** Its tests start control planes by themselves, with some of these add-ons. */
  readonly starts?: { readonly with: readonly string[] };
}

const faultsOfProvisioning = "test/faults/provision*.test.ts";
const faultsOfBuckets = "test/faults/bucket*.test.ts";
// At its usual pace the binder would be most of what a sweep waits for; one pass of `make faults` runs with it.
const underFaults = { with: ["hostpath,provisioner"], "kcm-arg": ["--pvclaimbinder-sync-period=500ms"] };
const touchesClusterScope = "test/**/*.cluster.test.ts";

export const lanes: readonly Lane[] = [
  { name: "endurance", files: ["test/endurance/*.test.ts"], starts: { with: [] } },
  {
    name: "dev",
    files: ["test/dev/*.test.ts"],
    starts: { with: ["hostpath,snapshotter,provisioner,versitygw,csi-test,populator-crd"] },
  },
  {
    name: "unit",
    files: [
      "src/**/*.test.ts",
      "check/*.test.ts",
      "generate/*.test.ts",
      "bench/*.test.ts",
      "test/*.test.ts",
      "test/fixture/*.test.ts",
      "test/driver/*.test.ts",
      "test/mutants/*.test.ts",
      "test/explore/!(*.lane).test.ts",
      "test/sample/*.test.ts",
      "test/seeds/*.test.ts",
      "test/transfer/*.test.ts",
      "test/transfer/flows/*.test.ts",
      "test/cli/*.test.ts",
      "test/provision/compare/*.test.ts",
    ],
    except: touchesClusterScope,
  },
  {
    name: "bucket-drivers",
    files: ["test/buckets/driver*.test.ts", "test/buckets/conformance*.test.ts"],
    starts: { with: ["versitygw"] },
  },
  // The longest ones before the short one, so that the two tracks end at about the same time.
  {
    name: "cluster-scoped",
    files: [touchesClusterScope],
    cluster: { with: ["gateway-crds,populator-crd,snapshotter"] },
  },
  {
    name: "faults",
    files: ["test/faults/**/*.test.ts"],
    except: "test/faults/{provision,bucket}*.test.ts",
    cluster: underFaults,
  },
  {
    name: "provision",
    files: ["test/provision/*.test.ts"],
    // Its tests start the provisioners themselves, now the one and now the other.
    cluster: { with: ["hostpath,snapshotter"], "kcm-arg": ["--kube-api-qps=200", "--kube-api-burst=400"] },
  },
  { name: "provision-faults", files: [faultsOfProvisioning], cluster: underFaults },
  { name: "bucket-faults", files: [faultsOfBuckets], cluster: { with: ["versitygw"] } },
  {
    name: "namespaced",
    files: [
      "test/contract/*.test.ts",
      "test/explore/*.lane.test.ts",
      "test/runtime/*.test.ts",
      "test/stories/*.test.ts",
    ],
    except: touchesClusterScope,
    cluster: { with: ["hostpath,snapshotter,provisioner"] },
  },
];
