import { type COSIRegistration, type COSIRegistrationSpec, cosiRegistrations } from "../../../api/gen/cosi.ts";
import type { Client } from "../../../kube/client.ts";
import { bare } from "../../../runtime/bare.ts";
import { type Controller, controllerOn, type Engine, trigger } from "../../../runtime/engine.ts";
import { decide } from "../../../runtime/table.ts";
import { registering, type Step } from "./rules.ts";
import { isOurs, observe, type Seen } from "./seen.ts";
import { act, type GiveUp } from "./steps.ts";

export interface Registry {
  readonly controller: Controller;
  /** Nothing is done in a name that is not ours. */
  isOurs(): boolean;
  /** The driver was updated, and says something else of itself. */
  wish(wished: COSIRegistrationSpec): void;
  onChange(tell: () => void): void;
}

export function registryOn(engine: Engine, wished: COSIRegistrationSpec, giveUp: GiveUp): Registry {
  const name = wished.driverName;
  const registrations = engine.sources.watch(cosiRegistrations, {
    where: { fieldSelector: `metadata.name=${name}` },
    selects: ({ metadata }) => metadata.name === name,
    project: bare<COSIRegistration>,
  }).cache;
  const eyes = { registrations, wished, since: undefined as Date | undefined };
  const controller = controllerOn<Seen, Step>(engine, {
    reconciler: {
      name: "registration",
      async observe(key, look) {
        // A replica that has waited for hours for the Lease is as patient as a new one.
        eyes.since ??= look.now;
        return observe({ ...eyes, since: eyes.since }, key, look);
      },
      decide: (seen) => decide(registering, seen),
      act: (step, seen, hand) => act(step, seen, hand, giveUp),
      report: () => [],
    },
    triggers: [trigger(registrations, () => [name]), { attach: (look) => look(name) }],
  });
  return {
    controller,
    isOurs() {
      const found = registrations.get(name);
      return found !== undefined && isOurs(found, wished);
    },
    wish(next) {
      eyes.wished = next;
      if (eyes.since !== undefined) controller.loop.queue.add(name);
    },
    onChange: (tell) => void registrations.onChange(tell),
  };
}

/** On our way out, and only what is ours: the next one need not wait for it to grow old. */
export async function deregister(client: Client, wished: COSIRegistrationSpec): Promise<void> {
  const found = await client.find(cosiRegistrations, { name: wished.driverName });
  if (found === undefined || !isOurs(found, wished)) return;
  await client.delete(cosiRegistrations, { name: wished.driverName, uid: found.metadata.uid });
}
