import { deepEqual, equal, rejects } from "node:assert/strict";
import { test } from "node:test";
import type { OwnerReference } from "../../api/object.ts";
import { type Client, clientOn } from "../../kube/client.ts";
import type { Answer } from "../../kube/transport/transport.ts";
import { NoOwner, ownerFinder } from "./owner.ts";

const replicaSet: OwnerReference = {
  apiVersion: "apps/v1",
  kind: "ReplicaSet",
  name: "csi-1",
  uid: "u-rs",
  controller: true,
  blockOwnerDeletion: true,
};
const deployment: OwnerReference = { ...replicaSet, kind: "Deployment", name: "csi", uid: "u-deploy" };
const bystander: OwnerReference = { apiVersion: "v1", kind: "ConfigMap", name: "x", uid: "u-x" };

function stored(name: string, uid: string, ownerReferences: readonly OwnerReference[]) {
  return { metadata: { name, uid, resourceVersion: "1", ownerReferences } };
}

const server: Readonly<Record<string, object>> = {
  "/api/v1/namespaces/ns/pods/csi-1-x": stored("csi-1-x", "u-pod", [bystander, replicaSet]),
  "/apis/apps/v1": {
    resources: [
      { name: "replicasets", kind: "ReplicaSet", namespaced: true },
      { name: "deployments", kind: "Deployment", namespaced: true },
    ],
  },
  "/apis/apps/v1/namespaces/ns/replicasets/csi-1": stored("csi-1", "u-rs", [deployment]),
  "/apis/apps/v1/namespaces/ns/deployments/csi": stored("csi", "u-deploy", []),
};

/** A server that has these answers, and fails as often as it is told. */
function clientWith({ failures = 0, pod }: { readonly failures?: number; readonly pod?: object | undefined } = {}): {
  readonly client: Client;
  readonly asked: string[];
} {
  const asked: string[] = [];
  let left = failures;
  const exchange = async ({ path }: { readonly path: string }): Promise<Answer> => {
    asked.push(path);
    const found = left-- > 0 ? undefined : path.includes("/pods/") ? (pod ?? server[path]) : server[path];
    return found === undefined
      ? { status: 500, headers: {}, text: "" }
      : { status: 200, headers: {}, text: JSON.stringify(found) };
  };
  const stream = () => Promise.reject(new Error("nobody watches here"));
  return {
    client: clientOn({ fieldManager: "t", transport: { exchange, stream, close: async () => undefined } }),
    asked,
  };
}

const settings = { namespace: "ns", podName: "csi-1-x" };
const { blockOwnerDeletion: _, ...theReplicaSet } = replicaSet;
const { blockOwnerDeletion: __, ...theDeployment } = deployment;
const levels: readonly (readonly [level: number, owner: OwnerReference | undefined, requests: number])[] = [
  [-1, undefined, 0],
  [0, { apiVersion: "v1", kind: "Pod", name: "csi-1-x", uid: "u-pod", controller: true }, 1],
  [1, theReplicaSet, 1],
  [2, theDeployment, 3],
];
for (const [ownerLevel, owner, requests] of levels) {
  test(`the owner of level ${ownerLevel} is ${owner?.kind ?? "nobody"}, and nothing is read that need not be`, async () => {
    const { client, asked } = clientWith();
    const find = ownerFinder(client, { ...settings, ownerLevel });
    deepEqual(await find(), owner);
    deepEqual(await find(), owner);
    equal(asked.length, requests);
  });
}

test("an owner that could not be read is read again", async () => {
  const find = ownerFinder(clientWith({ failures: 1 }).client, { ...settings, ownerLevel: 1 });
  await rejects(find());
  equal((await find())?.name, "csi-1");
});

const nobodies: readonly (readonly [says: string, level: number, words: RegExp])[] = [
  ["whoever is owned by nobody", 3, /Deployment csi has no controlling owner/],
  ["whoever is owned by what the server does not know", 4, /does not serve/],
];
for (const [says, ownerLevel, words] of nobodies) {
  test(`${says} is told so`, async () => {
    const pod = ownerLevel === 4 ? stored("csi-1-x", "u-pod", [{ ...replicaSet, kind: "Flock" }]) : undefined;
    const find = ownerFinder(clientWith({ pod }).client, { ...settings, ownerLevel });
    await rejects(find(), (problem) => problem instanceof NoOwner && words.test(problem.message));
  });
}
