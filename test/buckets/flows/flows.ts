import type { Tier } from "../../faults/sweep/cases.ts";
import type { Flow } from "../../faults/sweep/flow.ts";
import { deletedTier } from "./deletion-cases.ts";
import {
  contentDeletedByHand,
  controllerBindsStatic,
  controllerFindsNoDriver,
  controllerLeavesForeignSecret,
  controllerLosesContent,
  controllerWaitsForName,
  deletedDuring,
  namespaceDeleted,
  sidecarIsRefused,
} from "./odd-ways.ts";
import { registrationTier } from "./registration-cases.ts";
import { calledTier, keysForgotten, longRpcTier, type Rpc, shortRpcTier } from "./rpc-cases.ts";
import { storeTier } from "./store-cases.ts";
import { brownfield, madeAndDeleted, retained, scripted } from "./ways.ts";

export { controllerBindsStatic };

/** Every way of a Bucket, once with the controller under test and once with the sidecar. */
export const controllerMakes = madeAndDeleted(scripted("controller"), "controller: bucket made and deleted");
export const sidecarMakes = madeAndDeleted(scripted("sidecar"), "sidecar: bucket made and deleted");
export const sidecarGrantsApart = madeAndDeleted(
  { who: "sidecar", store: "scripted, grants apart" },
  "sidecar: bucket made and deleted, keys granted apart",
);
export const controllerOnRealStore = madeAndDeleted(
  { who: "controller", store: "real" },
  "controller: bucket made and deleted on a real store",
);
export const sidecarOnRealStore = madeAndDeleted(
  { who: "sidecar", store: "real" },
  "sidecar: bucket made and deleted on a real store",
);
const sidecarOpensOnRealStore = brownfield(
  { who: "sidecar", store: "real" },
  "sidecar: bucket that was there before on a real store",
);
const sidecarOpens = brownfield(scripted("sidecar"), "sidecar: bucket that was there before");
export const deletedDuringCreate = deletedDuring("CreateBucket");
const deletedDuringGrant = deletedDuring("GrantBucketAccess");

export const bucketFlows: readonly Flow[] = [
  controllerMakes,
  sidecarMakes,
  sidecarGrantsApart,
  retained("controller"),
  retained("sidecar"),
  brownfield(scripted("controller"), "controller: bucket that was there before"),
  sidecarOpens,
  controllerBindsStatic,
  controllerWaitsForName,
  controllerLeavesForeignSecret,
  controllerFindsNoDriver,
  controllerLosesContent,
  contentDeletedByHand("controller"),
  contentDeletedByHand("sidecar"),
  namespaceDeleted("controller"),
  namespaceDeleted("sidecar"),
  sidecarIsRefused,
  deletedDuringCreate,
  deletedDuringGrant,
  controllerOnRealStore,
  sidecarOnRealStore,
  sidecarOpensOnRealStore,
];

const together: readonly Rpc[] = ["CreateBucket", "RevokeBucketAccess", "DeleteBucket"];
const apart: readonly Rpc[] = ["CreateBucket", "GrantBucketAccess", "RevokeBucketAccess", "DeleteBucket"];
/** Up to here it is made: from the next write on it is taken back. */
const writesOfMaking = { controller: 5, sidecar: 4 } as const;

export const bucketTiers: readonly (readonly [Flow, { readonly short?: Tier; readonly long: readonly Tier[] }])[] = [
  [controllerMakes, { long: [deletedTier(writesOfMaking.controller)] }],
  [
    sidecarMakes,
    {
      short: (...about) =>
        [shortRpcTier(...together), deletedTier(writesOfMaking.sidecar)].flatMap((tier) => tier(...about)),
      long: [
        longRpcTier(...together),
        keysForgotten,
        calledTier,
        registrationTier,
        deletedTier(writesOfMaking.sidecar),
      ],
    },
  ],
  [
    sidecarGrantsApart,
    { short: shortRpcTier(...apart), long: [longRpcTier(...apart), deletedTier(writesOfMaking.sidecar)] },
  ],
  [sidecarOpens, { long: [longRpcTier("GrantBucketAccess", "RevokeBucketAccess")] }],
  [deletedDuringCreate, { long: [longRpcTier("RevokeBucketAccess", "DeleteBucket")] }],
  [deletedDuringGrant, { long: [longRpcTier("RevokeBucketAccess", "DeleteBucket")] }],
  [controllerOnRealStore, { long: [storeTier] }],
  [sidecarOnRealStore, { short: storeTier, long: [storeTier, deletedTier(writesOfMaking.sidecar)] }],
  [sidecarOpensOnRealStore, { long: [storeTier] }],
];
