import { type PersistentVolume, persistentVolumeClaims, persistentVolumes } from "../../api/gen/core.ts";
import { storageTransferApprovals, storageTransferRequests } from "../../api/gen/transfer.ts";
import type { Stored } from "../../api/object.ts";
import { journalOn } from "../../api/transfer/journal.ts";
import { acceptOn, giveOn } from "../../api/transfer/wish.ts";
import type { Explanation } from "../explain/explanation.ts";
import { type Eyes, eyesOf, valueOf } from "../kubectl/eyes.ts";
import { inWords } from "../kubectl/names.ts";
import type { Session } from "../kubectl/session.ts";
import { aboutAccept, aboutGive, rulingOnGiven } from "./explain-gives.ts";
import type { Request } from "./handshake.ts";
import { lookAtRequest, lookAtVolume } from "./look.ts";
import { lookAtGiven } from "./look-gives.ts";
import { rulingOnRequest, rulingOnVolume } from "./rulings.ts";
import { toldOn } from "./told.ts";

type Explain = (session: Session, eyes: Eyes, name: string) => Promise<Omit<Explanation, "unseen">>;

const explainers: Readonly<Record<"request" | "approval" | "pvc" | "pv", Explain>> = {
  async request({ client, namespace }, eyes, name) {
    return await aboutRequest(eyes, await client.get(storageTransferRequests, { namespace, name }));
  },
  async approval({ client, namespace }, eyes, name) {
    const approval = await client.get(storageTransferApprovals, { namespace, name });
    const { targetNamespace, requestName, source } = approval.spec;
    const request = valueOf(
      await eyes.find(storageTransferRequests, { namespace: targetNamespace, name: requestName }),
    );
    if (request !== undefined) return await aboutRequest(eyes, request);
    return {
      object: `approval ${namespace}/${name}`,
      about: `${namespace}/${source.name} for the request ${targetNamespace}/${requestName}`,
      told: toldOn(approval),
    };
  },
  async pvc({ client, namespace }, eyes, name) {
    const claim = await client.get(persistentVolumeClaims, { namespace, name });
    const volume = valueOf(await eyes.find(persistentVolumes, { name: claim.spec?.volumeName ?? "-" }));
    if (volume !== undefined && journalOn(volume).is !== "none") return await aboutVolume(eyes, volume);
    if (giveOn(claim).is !== "none") return await aboutGive(eyes, claim);
    if (acceptOn(claim).is !== "none") return await aboutAccept(eyes, claim);
    const request = await requestAbout(eyes, namespace, name);
    if (request !== undefined) return await aboutRequest(eyes, request);
    const about = `${claim.status?.phase ?? "Pending"}; no transfer of it that you may see`;
    return { object: `pvc ${namespace}/${name}`, about };
  },
  async pv({ client }, eyes, name) {
    return await aboutVolume(eyes, await client.get(persistentVolumes, { name }));
  },
};

export async function explained(session: Session, kind: keyof typeof explainers, name: string): Promise<Explanation> {
  const eyes = eyesOf(session.client);
  const explanation = await explainers[kind](session, eyes, name);
  return { ...explanation, unseen: eyes.unseen };
}

/** A request that wants this claim, or wants to fill its name. */
async function requestAbout(eyes: Eyes, namespace: string, name: string): Promise<Request | undefined> {
  const requests = valueOf(await eyes.list(storageTransferRequests, { namespace })) ?? [];
  const isAbout = ({ spec }: Request) =>
    spec.targetName === name || (spec.source.name === name && spec.source.namespace === namespace);
  const own = requests.find(isAbout);
  if (own !== undefined) return own;
  const approvals = valueOf(await eyes.list(storageTransferApprovals, { namespace })) ?? [];
  const approval = approvals.find(({ spec }) => spec.source.name === name);
  if (approval === undefined) return undefined;
  const key = { namespace: approval.spec.targetNamespace, name: approval.spec.requestName };
  return valueOf(await eyes.find(storageTransferRequests, key));
}

async function aboutRequest(eyes: Eyes, request: Request): Promise<Omit<Explanation, "unseen">> {
  const { metadata, spec } = request;
  const looked = await lookAtRequest(eyes, request);
  const title = {
    object: `request ${inWords(metadata)}`,
    about: `${inWords(spec.source)} to ${metadata.namespace ?? ""}/${spec.targetName}`,
    told: toldOn(request),
  };
  // While its volume is locked, the volume's table decides.
  const reading = looked.locked === undefined ? undefined : journalOn(looked.locked);
  if (looked.locked !== undefined && reading?.is === "journal" && reading.journal.outcome === undefined)
    return { ...title, ...rulingOnVolume(await lookAtVolume(eyes, looked.locked, reading.journal)) };
  return { ...title, ...rulingOnRequest(looked) };
}

async function aboutVolume(eyes: Eyes, volume: Stored<PersistentVolume>): Promise<Omit<Explanation, "unseen">> {
  const object = `pv ${volume.metadata.name}`;
  const reading = journalOn(volume);
  if (reading.is === "none") return { object, about: "no transfer has ever touched it" };
  if (reading.is === "closed book") return { object, about: `it is left alone: ${reading.why}` };
  const { source, target, outcome = "under way", startedAt } = reading.journal;
  const about = `${inWords(source)} to ${inWords(target)}, begun ${startedAt}: ${outcome}`;
  const ruling =
    reading.is === "give"
      ? rulingOnGiven(await lookAtGiven(eyes, volume, reading.journal))
      : rulingOnVolume(await lookAtVolume(eyes, volume, reading.journal));
  return { object, about, ...ruling, ...repair(outcome, volume) };
}

function repair(outcome: string, { metadata }: Stored<PersistentVolume>): Pick<Explanation, "next"> {
  return outcome === "orphaned" ? { next: `kubectl portway assign ${metadata.name} NAMESPACE/NAME` } : {};
}
