import { persistentVolumeClaims, persistentVolumes } from "../api/gen/core.ts";
import { ApiError } from "../kube/errors.ts";
import { RpcError } from "../rpc/errors.ts";
import type { Hand } from "../runtime/hand.ts";
import { must, Overtaken } from "../runtime/must.ts";
import { askDriver } from "./ask-driver.ts";
import { inGoWords } from "./go-words.ts";
import { Hindrance } from "./hindrance.ts";
import { eventReasons, selectedNodeAnnotation } from "./names.ts";
import type { Order } from "./order.ts";
import { prepare } from "./prepare.ts";
import { protectSource } from "./protection/protect.ts";
import type { Step } from "./rules.ts";
import type { Made, Seen } from "./seen.ts";
import type { Tools } from "./tools.ts";
import type { Claim } from "./watches.ts";

/** A driver that refuses the request as it is will refuse it again: it is left alone until the class changes, or for this long. */
const infeasibleSeconds = 300;

type Act = (seen: Seen, hand: Hand, tools: Tools) => Promise<unknown>;

const steps: Readonly<Record<Step, Act>> = {
  /** Everything is settled and stored before the driver hears of it. */
  async begin(seen, hand, tools) {
    const claim = must(seen.claim, "a claim");
    const { namespace = "", name } = claim.metadata;
    await requireWaiting(claim, hand);
    tellClaim(hand, claim, {
      type: "Normal",
      reason: eventReasons.provisioning,
      message: `External provisioner is provisioning volume for claim "${namespace}/${name}"`,
    });
    return await told(seen, hand, tools, async () => {
      const prepared = await prepare(seen, hand, tools);
      if (prepared.is === "elsewhere") return await chooseAnotherNode(claim, hand, prepared.because);
      if (prepared.is === "refused") throw new Hindrance(prepared.because, { detail: prepared.detail });
      if (prepared.protect !== undefined) await protectSource(prepared.protect, hand, tools.rights());
      const term = tools.term();
      const since = seen.now.toISOString();
      await tools.book.open({ v: 1, order: prepared.order, since, ...(term === undefined ? {} : { term }) });
    });
  },
  async "ask-driver"(seen, hand, tools): Promise<Made | undefined> {
    const { order } = must(seen.intent, "an intent");
    return await told(seen, hand, tools, async () => {
      try {
        return { made: await askDriver(order, hand, tools) };
      } catch (problem) {
        if (isFinal(problem)) return await driverRefused(problem, seen, hand, tools);
        throw problem;
      }
    });
  },
  async "write-volume"(seen, hand, tools) {
    const { order } = must(seen.intent, "an intent");
    const made = must(seen.made, "an answer of the driver");
    // Where somebody may have finished it in the meantime and kept the data, it is not for us to destroy.
    const keeps = seen.claim === undefined && seen.doubt !== undefined;
    const volume = keeps ? { ...made, spec: { ...made.spec, persistentVolumeReclaimPolicy: "Retain" } } : made;
    await told(seen, hand, tools, async () => {
      const stored = await hand.create(persistentVolumes, volume).catch((problem: unknown) => {
        if (problem instanceof ApiError && problem.reason === "AlreadyExists") return sameVolume(order, hand);
        throw problem;
      });
      if (keeps)
        hand.tell({
          resource: persistentVolumes,
          object: stored,
          type: "Warning",
          reason: "VolumeKept",
          message: `The claim ${order.claim.namespace}/${order.claim.name} is gone and ${seen.doubt ?? ""}: the volume is kept. Delete it, or give it to a claim.`,
        });
    });
    tools.book.close(seen.uid);
    tools.metrics.provisioned(order, seen);
    tools.capacityChanged({ className: order.className, nodeAffinity: volume.spec?.nodeAffinity });
    if (seen.claim !== undefined)
      tellClaim(hand, seen.claim, {
        type: "Normal",
        reason: eventReasons.succeeded,
        message: `Successfully provisioned volume ${volume.metadata.name ?? ""}`,
      });
  },
  async "close-intent"({ uid }, _, { book }) {
    book.close(uid);
  },
};

export async function act(step: Step, seen: Seen, hand: Hand, tools: Tools): Promise<unknown> {
  return await steps[step](seen, hand, tools);
}

/** A cache that is behind shows claims that have had their volume, and are gone with it: it would be made once more. */
async function requireWaiting(
  { metadata: { namespace = "", name, uid } }: Claim,
  { live, signal }: Hand,
): Promise<void> {
  const found = await live.find(persistentVolumeClaims, { namespace, name }, { signal });
  const isWaiting = found?.metadata.deletionTimestamp === undefined && (found?.spec?.volumeName ?? "") === "";
  if (found?.metadata.uid !== uid || !isWaiting) throw new Overtaken("the claim is not as it was seen");
}

/** Only an answer to the order itself says that nothing was made; what goes wrong around it leaves the order open. */
function isFinal(problem: unknown): problem is RpcError {
  const isAnswer = problem instanceof RpcError && problem.method.endsWith("/CreateVolume");
  return isAnswer && problem.trouble !== "in-doubt";
}

/** The driver has said that nothing was made: the intent is over, and the next try may ask for something else. */
async function driverRefused(problem: RpcError, seen: Seen, hand: Hand, tools: Tools): Promise<undefined> {
  const { order } = must(seen.intent, "an intent");
  tools.book.close(seen.uid);
  tools.capacityChanged({ className: order.className });
  const isFull = problem.code === "RESOURCE_EXHAUSTED" && "accessibilityRequirements" in order.request;
  if (isFull && seen.claim !== undefined && hasNode(seen.claim)) {
    await chooseAnotherNode(seen.claim, hand, inGoWords(problem));
    return undefined;
  }
  if (problem.code === "INVALID_ARGUMENT")
    throw new Hindrance(inGoWords(problem), { retryAfterSeconds: infeasibleSeconds, cause: problem });
  throw problem;
}

/** The scheduler chooses anew when the node is taken away from the claim. */
async function chooseAnotherNode(claim: Claim, hand: Hand, because: string): Promise<undefined> {
  const { namespace = "", name, uid } = claim.metadata;
  const found = await hand.live.get(persistentVolumeClaims, { namespace, name });
  if (found.metadata.uid !== uid) throw new Overtaken("the claim is another one now");
  const { [selectedNodeAnnotation]: _, ...annotations } = found.metadata.annotations ?? {};
  // A vendor's role has no patch for claims.
  await hand.update(persistentVolumeClaims, { ...found, metadata: { ...found.metadata, annotations } });
  tellClaim(hand, claim, failure(claim, because));
  return undefined;
}

/** Our own from a try that was not answered, or somebody else's. */
async function sameVolume({ volume, claim }: Order, { live }: Hand) {
  const found = await live.get(persistentVolumes, { name: volume.metadata.name ?? "" });
  if (found.spec?.claimRef?.uid === claim.uid) return found;
  throw new Hindrance(`The volume ${found.metadata.name} is there already, and belongs to another claim.`);
}

/** Every try that fails is told to whoever waits for the claim; somebody else's faster write is no failure. */
async function told<R>(seen: Seen, hand: Hand, { metrics }: Tools, work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (problem) {
    const isNews = !(problem instanceof ApiError && problem.trouble === "conflict") && !(problem instanceof Overtaken);
    if (isNews && problem instanceof Error) {
      metrics.failed(seen);
      if (seen.claim !== undefined) tellClaim(hand, seen.claim, failure(seen.claim, inGoWords(problem)));
    }
    throw problem;
  }
}

function failure({ spec }: Claim, because: string): Words {
  const message = `failed to provision volume with StorageClass "${spec?.storageClassName ?? ""}": ${because}`;
  return { type: "Warning", reason: eventReasons.failed, message };
}

interface Words {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
}

function tellClaim(hand: Hand, claim: Claim, words: Words): void {
  hand.tell({ resource: persistentVolumeClaims, object: claim, ...words });
}

function hasNode({ metadata }: Claim): boolean {
  return (metadata.annotations?.[selectedNodeAnnotation] ?? "") !== "";
}
