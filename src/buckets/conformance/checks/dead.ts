import { holds } from "../expect.ts";
import type { Access } from "../keys-on-store.ts";
import type { Trial } from "../trial.ts";
import { asksStore } from "./needs.ts";

/** The next request with these keys gets 403. Where the store is not asked, nobody can say. */
export async function requireDead(trial: Trial, keys: Access): Promise<void> {
  if (asksStore(trial) !== undefined) return;
  for (const request of [
    { method: "GET", query: { "list-type": "2" } },
    { method: "PUT", key: "after-the-end", body: "?" },
  ]) {
    const { status, code } = await trial.as(keys, request);
    holds(`403 for ${request.method} with revoked keys`, status === 403, `${status} ${code}`.trim());
  }
}
