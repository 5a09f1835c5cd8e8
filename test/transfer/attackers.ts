import type { TestContext } from "node:test";
import type { Handle } from "../../src/dev/cluster/handle.ts";
import type { Client } from "../../src/kube/client.ts";
import { approve, ask, type Transfer, transferOf, untilComplete } from "../fixture/transfer.ts";
import { memberOf } from "../stories/teams.ts";
import { boundAs, boundPair, type Pair } from "./ground.ts";

/** Two tenants who may edit their own namespace, and one thing of Portway's besides; what they agree on works. */
export interface Teams extends Pair {
  /** Works in the source's namespace, and may approve. */
  readonly alice: Client;
  /** Works in the target's, and may ask. */
  readonly bob: Client;
}

export async function twoTeams(t: TestContext, cluster: Handle, admin: Client): Promise<Teams> {
  const pair = await boundPair(t, admin);
  const { from, to } = pair.transfer;
  const alice = await memberOf(t, cluster, "alice", from.namespace, "portway-approver");
  const bob = await memberOf(t, cluster, "bob", to.namespace, "portway-requester");
  const legal = { namespace: from.namespace, className: `${pair.place.className}-legal` };
  await boundAs(t, admin, legal, {}, "legal");
  await agreedOn(alice, bob, transferOf({ ...from, name: "legal" }, { ...to, name: "legal" }));
  return { ...pair, alice, bob };
}

/** Somebody with two namespaces, where the legal act works, and nothing anywhere else. */
export async function malloryAtHome(t: TestContext, cluster: Handle, admin: Client) {
  const { transfer, place } = await boundPair(t, admin);
  const [home, next] = [transfer.from.namespace, transfer.to.namespace];
  const mallory = await memberOf(t, cluster, "mallory", home, "portway-approver");
  await memberOf(t, cluster, "mallory", next, "portway-requester");
  await agreedOn(mallory, mallory, transfer);
  return { mallory, place, home, next };
}

export async function agreedOn(giver: Client, taker: Client, transfer: Transfer): Promise<void> {
  await approve(giver, transfer);
  await ask(taker, transfer);
  await untilComplete(taker, transfer);
}
