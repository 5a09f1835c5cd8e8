import { deepEqual } from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import { configMaps, persistentVolumes } from "../../src/api/gen/core.ts";
import type { Stored } from "../../src/api/object.ts";
import { ApiError } from "../../src/kube/errors.ts";
import { adminClient, newNamespace, randomWord } from "../fixture/client.ts";
import { laneCluster } from "../fixture/lane.ts";
import { masked } from "./mask.ts";
import { worldWith } from "./model/client.ts";
import { coreKinds } from "./model/kinds.ts";
import { emptyServer } from "./model/server.ts";
import { deleteCases } from "./same-answers/deletes.ts";
import type { Case, Ground } from "./same-answers/ground.ts";
import { patchCases } from "./same-answers/patches.ts";
import { writeCases } from "./same-answers/writes.ts";

/** What makes the model worth anything: asked the same, it answers what the real server answers. */
const cluster = await laneCluster();
const admin = await adminClient(cluster);
after(() => admin.close());

async function realGround(t: TestContext): Promise<Ground> {
  const namespace = await newNamespace(t, admin);
  const volumeName = `t-${randomWord()}`;
  t.after(async () => {
    await admin
      .merge(configMaps, { namespace, name: "note" }, { metadata: { finalizers: null } })
      .catch(() => undefined);
    await admin
      .merge(configMaps, { namespace, name: "holder" }, { metadata: { finalizers: null } })
      .catch(() => undefined);
    const left = await admin.find(persistentVolumes, { name: volumeName });
    if (left !== undefined) await admin.delete(persistentVolumes, left.metadata);
  });
  return { client: admin, namespace, volumeName };
}

/** Code and reason and the fields that are blamed, or the object without what differs by itself. */
async function answerOf(ask: Case[1], ground: Ground): Promise<unknown> {
  try {
    return plain(await ask(ground), ground);
  } catch (problem) {
    if (!(problem instanceof ApiError)) throw problem;
    const { code, reason, causes, trouble } = problem;
    return { code, reason, trouble, fields: [...new Set(causes.map(({ field }) => field))] };
  }
}

function plain(answer: unknown, { namespace, volumeName }: Ground): unknown {
  if (answer === undefined) return "gone";
  const { metadata } = answer as Stored<object & { metadata: object }>;
  const text = JSON.stringify(masked(answer))
    .replaceAll(metadata.uid, "(uid)")
    .replaceAll(namespace, "(namespace)")
    .replaceAll(volumeName, "(volume)")
    .replaceAll(`"resourceVersion":"${metadata.resourceVersion}"`, '"resourceVersion":"(version)"');
  return JSON.parse(text) as unknown;
}

for (const [says, ask] of [...patchCases, ...deleteCases, ...writeCases]) {
  test(`the model answers like the server: ${says}`, async (t) => {
    const { client } = await worldWith(emptyServer(coreKinds), "home");
    const model = await answerOf(ask, { client, namespace: "home", volumeName: "the-one" });
    deepEqual(model, await answerOf(ask, await realGround(t)));
  });
}
