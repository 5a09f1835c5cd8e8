import { type PersistentVolume, secrets } from "../api/gen/core.ts";
import { RpcError } from "../rpc/errors.ts";
import type { Hand } from "../runtime/hand.ts";
import { Hindrance, WrongAnswer } from "./hindrance.ts";
import { requestOf } from "./make-order.ts";
import type { Order, SecretPlace } from "./order.ts";
import type { Tools } from "./tools.ts";
import { volumeOf } from "./volume-of.ts";

/** The same call at every try, until the driver has answered; and the volume as it is to be written. */
export async function askDriver(order: Order, hand: Hand, tools: Tools): Promise<PersistentVolume> {
  const { controller, settings } = tools;
  const data = order.secret === undefined ? undefined : await secretData(order.secret, hand);
  const request = requestOf(order, data);
  const response = await calling(hand, tools, () =>
    controller.createVolume(request, { timeoutSeconds: settings.timeoutSeconds }),
  );
  const judged = volumeOf(order, response, request);
  if (judged.is === "volume") return writable(judged.volume);
  if (judged.mayDelete !== undefined) await takeAway(judged.mayDelete, data, hand, tools);
  throw new WrongAnswer(judged.because, { detail: judged.detail });
}

/** The server takes no object of more than 1.5 MiB. */
const mostBytes = 1_000_000;

/** What can never be written down would be tried for ever, and the driver never asked again. */
function writable(volume: PersistentVolume): PersistentVolume {
  const bytes = Buffer.byteLength(JSON.stringify(volume));
  if (bytes <= mostBytes) return volume;
  throw new WrongAnswer(`the driver's answer is too long to be written down: ${bytes} bytes`);
}

const mostTries = 5;

/** What is not what was asked for is taken away, so that the next try can make it anew. */
async function takeAway(
  volumeId: string,
  data: Readonly<Record<string, string>> | undefined,
  hand: Hand,
  tools: Tools,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await calling(hand, tools, () => tools.controller.deleteVolume({ volumeId, secrets: { ...data } }));
      return;
    } catch (problem) {
      if (tries === mostTries || !(problem instanceof RpcError)) throw problem;
    }
  }
}

/** A call that changes something: only under the lease, and only to the driver that we know. */
export async function calling<R>(hand: Hand, { acquaintance }: Tools, call: () => Promise<R>): Promise<R> {
  await acquaintance.confirm();
  hand.requireLease();
  try {
    return await call();
  } catch (problem) {
    if (problem instanceof RpcError && problem.code === "UNAVAILABLE") acquaintance.doubt();
    throw problem;
  }
}

export async function secretData(place: SecretPlace, { live, signal }: Hand): Promise<Record<string, string>> {
  const found = await live.find(secrets, place, { signal });
  if (found === undefined)
    throw new Hindrance(`The Secret ${place.namespace}/${place.name}, which the class names, is not there.`);
  const texts = Object.entries(found.data ?? {}).map(
    ([key, value]) => [key, Buffer.from(value, "base64").toString()] as const,
  );
  return Object.fromEntries(texts);
}
