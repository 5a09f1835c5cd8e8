import { persistentVolumeClaims, persistentVolumes } from "../../../src/api/gen/core.ts";
import type { Metadata } from "../../../src/api/object.ts";
import {
  binds,
  type Claim,
  candidateOf,
  claimBehind,
  isBindCompleted,
  isNamedBy,
  reference,
  type Volume,
} from "./binding.ts";
import { allOf, type Server } from "./server.ts";
import { change, phased, type Transition } from "./transition.ts";

const boundByController = "pv.kubernetes.io/bound-by-controller";
const bindCompleted = "pv.kubernetes.io/bind-completed";
const provisionedBy = "pv.kubernetes.io/provisioned-by";

function eachVolume(says: string, to: (volume: Volume, server: Server) => Volume | undefined): Transition {
  return {
    says,
    from: (server) =>
      allOf(server, persistentVolumes).flatMap((volume) => change(server, persistentVolumes, to(volume, server))),
  };
}

function eachClaim(says: string, to: (claim: Claim, server: Server) => Claim | undefined): Transition {
  return {
    says,
    from: (server) =>
      allOf(server, persistentVolumeClaims).flatMap((claim) =>
        change(server, persistentVolumeClaims, to(claim, server)),
      ),
  };
}

const marked = (metadata: Metadata, mark: string): boolean => metadata.annotations?.[mark] !== undefined;

/** The claim that a volume points at by uid names another volume. */
function claimIsElsewhere(volume: Volume, server: Server): boolean {
  const named = claimBehind(server, volume)?.spec?.volumeName ?? "";
  return named !== "" && named !== volume.metadata.name;
}

const isDisposable = ({ metadata, spec }: Volume): boolean =>
  marked(metadata, provisionedBy) && spec?.persistentVolumeReclaimPolicy === "Delete";

const isAfterEnd = ({ status }: Volume): boolean => status?.phase === "Released" || status?.phase === "Failed";

/** What the binder does because of a volume. */
const volumeRules: readonly Transition[] = [
  eachVolume("a volume that no uid claims is Available", (volume) =>
    (volume.spec?.claimRef?.uid ?? "") === "" ? phased(volume, "Available") : undefined,
  ),
  eachVolume("a volume whose claim is gone is Released", (volume, server) => {
    const isGone = (volume.spec?.claimRef?.uid ?? "") !== "" && claimBehind(server, volume) === undefined;
    return isGone && !isAfterEnd(volume) ? phased(volume, "Released") : undefined;
  }),
  eachVolume("a volume that its claim names is Bound", (volume, server) => {
    const claim = claimBehind(server, volume);
    return claim !== undefined && isNamedBy(claim, volume) ? phased(volume, "Bound") : undefined;
  }),
  eachVolume("a provisioned volume of policy Delete whose claim has another is Released", (volume, server) =>
    claimIsElsewhere(volume, server) && isDisposable(volume) && !isAfterEnd(volume)
      ? phased(volume, "Released")
      : undefined,
  ),
  eachVolume("a volume the binder gave to a claim that has another is free", (volume, server) => {
    if (!claimIsElsewhere(volume, server) || isDisposable(volume)) return undefined;
    if (!marked(volume.metadata, boundByController)) return undefined;
    const { claimRef: _, ...spec } = volume.spec ?? {};
    const { [boundByController]: __, ...annotations } = volume.metadata.annotations ?? {};
    return { ...volume, metadata: { ...volume.metadata, annotations }, spec };
  }),
  eachVolume("a volume somebody gave to a claim that has another keeps the name alone", (volume, server) => {
    if (!claimIsElsewhere(volume, server) || isDisposable(volume)) return undefined;
    if (marked(volume.metadata, boundByController)) return undefined;
    const { uid: _, ...claimRef } = volume.spec?.claimRef ?? {};
    return { ...volume, spec: { ...volume.spec, claimRef } };
  }),
];

/**
 * What the binder does because of a claim. Four writes bind it, each only after those before it; between them anybody may
 * act. It looks at a claim on each change of it and every 15 s: a claim that waits for its kick waits for one of them.
 */
const claimRules: readonly Transition[] = [
  eachVolume("binding: the volume is given to the claim", (volume, server) => {
    const claim = allOf(server, persistentVolumeClaims).find(
      (one) => candidateOf(server, one) === volume.metadata.name,
    );
    if (claim === undefined || volume.spec?.claimRef?.uid === claim.metadata.uid) return undefined;
    const isOwnChoice = volume.spec?.claimRef === undefined;
    const mark = isOwnChoice ? { [boundByController]: "yes" } : {};
    const annotations = { ...volume.metadata.annotations, ...mark };
    return {
      ...volume,
      metadata: { ...volume.metadata, annotations },
      spec: { ...volume.spec, claimRef: { ...volume.spec?.claimRef, ...reference(claim) } },
    };
  }),
  eachVolume("binding: the volume is Bound", (volume, server) =>
    binds(server, claimBehind(server, volume), volume) ? phased(volume, "Bound") : undefined,
  ),
  eachClaim("binding: the claim names the volume", (claim, server) => {
    const volume = allOf(server, persistentVolumes).find((one) => binds(server, claim, one));
    if (volume?.status?.phase !== "Bound") return undefined;
    if (isNamedBy(claim, volume) && isBindCompleted(claim)) return undefined;
    const isOwnChoice = (claim.spec?.volumeName ?? "") === "";
    const annotations = {
      ...claim.metadata.annotations,
      [bindCompleted]: "yes",
      ...(isOwnChoice ? { [boundByController]: "yes" } : {}),
    };
    const spec = { ...claim.spec, volumeName: volume.metadata.name };
    return { ...claim, metadata: { ...claim.metadata, annotations }, spec };
  }),
  eachClaim("binding: the claim is Bound", (claim, server) => {
    const volume = allOf(server, persistentVolumes).find((one) => binds(server, claim, one));
    if (volume?.status?.phase !== "Bound" || !isNamedBy(claim, volume) || !isBindCompleted(claim)) return undefined;
    const { accessModes = [], capacity = {} } = volume.spec ?? {};
    return { ...claim, status: { ...claim.status, phase: "Bound", accessModes, capacity } };
  }),
  eachClaim("a bound claim whose volume is gone or another's is Lost", (claim, server) => {
    if (!isBindCompleted(claim)) return undefined;
    const volume = allOf(server, persistentVolumes).find((one) => isNamedBy(claim, one));
    const isOwn = volume !== undefined && (volume.spec?.claimRef?.uid ?? claim.metadata.uid) === claim.metadata.uid;
    const isReserved = volume?.spec?.claimRef !== undefined && volume.spec.claimRef.uid === undefined;
    if (isOwn && !isReserved) return undefined;
    const { accessModes: _, capacity: __, ...status } = claim.status ?? {};
    return { ...claim, status: { ...status, phase: "Lost" } };
  }),
];

/** kube-controller-manager's binder. */
export const binder: readonly Transition[] = [...volumeRules, ...claimRules];
