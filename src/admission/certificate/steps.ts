import { defined } from "../../api/defined.ts";
import {
  type MutatingWebhookConfiguration,
  mutatingWebhookConfigurations,
} from "../../api/gen/admissionregistration.ts";
import { type Secret, secrets } from "../../api/gen/core.ts";
import type { Stored } from "../../api/object.ts";
import type { Client } from "../../kube/client.ts";
import { Change } from "../../kube/json-patch.ts";
import { bundleOf, dataOf, type Edition, editionOf, type Keyring } from "./keyring.ts";
import type { Seen, Step } from "./rules.ts";
import { selfSigned } from "./self-signed.ts";

const service = "portway-webhook";
const home = "portway-system";
export const place = { secret: { namespace: home, name: service }, configuration: { name: "portway" } } as const;

/** As the API server calls it: through the Service, or on the same machine. */
export const servingNames = [
  `${service}.${home}.svc`,
  `${service}.${home}.svc.cluster.local`,
  "localhost",
  "127.0.0.1",
] as const;

export interface Looked {
  readonly configuration: Stored<MutatingWebhookConfiguration>;
  readonly secret: Stored<Secret>;
  readonly seen: Seen;
}

/** At most one write each, and none over what somebody else has written since. */
export function stepsWith(
  client: Client,
  serve: (edition: Edition) => void,
): Readonly<Record<Step, (looked: Looked) => unknown>> {
  const store = (secret: Stored<Secret>, keyring: Keyring) =>
    client.patch(secrets, place.secret, new Change(secret).set(["data"], dataOf(keyring)).operations);
  return {
    "make-current": ({ secret, seen }) => store(secret, { current: made(seen) }),
    "make-next": ({ secret, seen }) => store(secret, { ...seen.keyring, next: made(seen) }),
    promote: ({ secret, seen: { keyring } }) =>
      store(secret, defined({ current: keyring.next, previous: keyring.current })),
    trust({ configuration, seen: { keyring, now } }) {
      const change = new Change(configuration);
      for (const index of (configuration.webhooks ?? []).keys())
        change.set(["webhooks", index, "clientConfig", "caBundle"], bundleOf(keyring, now));
      return client.patch(mutatingWebhookConfigurations, place.configuration, change.operations);
    },
    serve({ seen: { keyring } }) {
      if (keyring.current !== undefined) serve(keyring.current);
    },
  };
}

/** Clocks differ; a certificate is good from a little earlier than it was made. */
const earlierSeconds = 3600;

function made({ now, names, schedule }: Seen): Edition {
  const notBefore = new Date(now.getTime() - earlierSeconds * 1000);
  const notAfter = new Date(now.getTime() + schedule.lifetimeSeconds * 1000);
  return editionOf(selfSigned({ names, notBefore, notAfter }));
}
