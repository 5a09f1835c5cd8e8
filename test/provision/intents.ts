import type { Intent } from "../../src/provision/intents/intent.ts";

/** An intent for the claim with this uid, as long as it is to be. */
export function anIntent(uid: string, words = ""): Intent {
  return {
    v: 1,
    since: "2026-11-18T12:00:00.000Z",
    term: 3,
    order: {
      v: 1,
      claim: { namespace: "team-a", name: "data", uid },
      className: "fast",
      request: { name: `pvc-${uid}`, parameters: { words } },
      volume: { metadata: { name: `pvc-${uid}` } },
    },
  };
}
