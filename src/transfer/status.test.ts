import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { seenOf } from "../../test/transfer/under-way.ts";
import { locked } from "../../test/transfer/under-way-facts.ts";
import { theApproval } from "../../test/transfer/worlds.ts";
import type { StorageTransferApprovalStatus } from "../api/gen/transfer.ts";
import { decide } from "../runtime/table.ts";
import { tableFor } from "./rules.ts";
import { report } from "./status.ts";

async function toldOf(phase: NonNullable<StorageTransferApprovalStatus["phase"]>, request: "there" | "none") {
  const seen = await seenOf({ ...locked, request, outcome: "rolled-back" });
  const approval = { ...theApproval(), status: { phase } };
  return report({ ...seen, approval }, decide(tableFor(seen), seen));
}

test("an approval whose request went while it was used says that it is open again", async () => {
  const [told, ...others] = await toldOf("Transferring", "none");
  equal(others.length, 0);
  const status = told !== undefined && "status" in told ? told.status : {};
  const { phase, conditions = [] } = status as StorageTransferApprovalStatus;
  deepEqual([phase, conditions.map(({ reason }) => reason)], ["Pending", ["RolledBack"]]);
});

test("it is told once, and by another loop where the request is still there", async () => {
  deepEqual(await toldOf("Pending", "none"), []);
  deepEqual(await toldOf("Transferring", "there"), []);
});
