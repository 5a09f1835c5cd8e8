import { Failure } from "../../api/failure.ts";
import { mutatingWebhookConfigurations } from "../../api/gen/admissionregistration.ts";
import { secrets } from "../../api/gen/core.ts";
import type { KubeObject, ObjectKey, Resource, Stored } from "../../api/object.ts";
import type { Client } from "../../kube/client.ts";
import { ApiError } from "../../kube/errors.ts";
import type { WaitingClock } from "../../runtime/clock.ts";
import type { Check } from "../../runtime/health.ts";
import type { Log } from "../../runtime/log.ts";
import { decide } from "../../runtime/table.ts";
import { bundleOf, type Edition, type Keyring, keyringIn } from "./keyring.ts";
import { rules, type Schedule } from "./rules.ts";
import type { KeyPair } from "./self-signed.ts";
import { type Looked, place, servingNames, stepsWith } from "./steps.ts";

export interface UpkeepOptions {
  readonly client: Client;
  readonly clock: WaitingClock;
  readonly log: Log;
  readonly schedule: Schedule;
  /** From now on new connections meet this one. */
  readonly serve: (pair: KeyPair) => void;
}

export interface Upkeep {
  /** Until it is stopped. It never gives up. */
  run(stop: AbortSignal): Promise<void>;
  readonly check: Check;
  /** When the one that is served ends; 1970 while there is none. */
  expiry(): Date;
}

/** So quickly after something was done, or was done by a sibling. */
const againMilliseconds = 20;

/** Keeps the certificates of this replica, of its siblings, and of what the API server trusts in step, without a leader. */
export function upkeepOf({ client, clock, log, schedule, serve }: UpkeepOptions): Upkeep {
  let served: Edition | undefined;
  let trusted: { readonly certificate: string; readonly since: number } | undefined;
  let trouble = "there is no certificate yet";
  const steps = stepsWith(client, (edition) => {
    serve(edition);
    served = edition;
  });

  /** The configuration first: what is trusted then is never newer than the Secret, and so never taken for too much. */
  async function look(): Promise<Looked> {
    const configuration = await required(client, mutatingWebhookConfigurations, place.configuration);
    const secret = await required(client, secrets, place.secret);
    const [keyring, now] = [keyringIn(secret), clock.wall()];
    const bundle = bundleOf(keyring, now);
    const isTrusted = (configuration.webhooks ?? []).every(({ clientConfig }) => clientConfig.caBundle === bundle);
    const isServed = served !== undefined && served.certificate === keyring.current?.certificate;
    const nextTrustedSeconds = isTrusted ? trustedSeconds(keyring) : 0;
    const seen = { keyring, isTrusted, isServed, nextTrustedSeconds, names: servingNames, schedule, now };
    return { configuration, secret, seen };
  }

  function trustedSeconds({ next }: Keyring): number {
    if (next === undefined) return 0;
    if (trusted?.certificate !== next.certificate) trusted = { certificate: next.certificate, since: clock.now() };
    return (clock.now() - trusted.since) / 1000;
  }

  /** Answers whether there may be more to do at once. */
  async function turn(): Promise<boolean> {
    const looked = await look();
    const { row, plan } = decide(rules, looked.seen);
    if (plan.do !== "step") return false;
    await steps[plan.step](looked);
    log.info(`certificates: ${plan.step}`, { row });
    return true;
  }

  function told(problem: unknown): boolean {
    // A sibling was quicker.
    if (problem instanceof ApiError && problem.trouble === "conflict") return true;
    trouble = problem instanceof Error ? problem.message : String(problem);
    log.error("the certificates cannot be looked after", problem);
    return false;
  }

  return {
    async run(stop) {
      while (!stop.aborted) {
        const isMore = await turn().catch(told);
        await clock.sleep(isMore ? againMilliseconds : schedule.checkSeconds * 1000, stop).catch(() => undefined);
      }
    },
    check() {
      if (served === undefined) return trouble;
      return served.notAfter > clock.wall() ? undefined : "the certificate has expired";
    },
    expiry: () => served?.notAfter ?? new Date(0),
  };
}

/** Both are there from the installation on; we have no right to make them. */
async function required<T extends KubeObject>(
  client: Client,
  resource: Resource<T>,
  key: ObjectKey,
): Promise<Stored<T>> {
  const found = await client.find(resource, key);
  if (found !== undefined) return found;
  throw new Failure(
    `there is no ${resource.kind} ${key.name}`,
    "Apply deploy/admission/webhook.yaml, or stop this process where a MutatingAdmissionPolicy does its work.",
  );
}
