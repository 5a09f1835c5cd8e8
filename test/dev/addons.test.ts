import { equal, match } from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { createHash, createHmac } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { ClusterState } from "../../src/dev/cluster/state.ts";
import { ownCluster } from "../fixture/dev-cluster.ts";
import { freshCache, until } from "../fixture/portway.ts";

test("add-ons that need no cluster objects", async (t) => {
  const { state, layout } = await ownCluster(t, { with: ["versitygw,csi-test"] });
  await t.test("the object store takes its own key and no other", () => tryStore(state.env));
  await t.test("the conformance suite for CSI drivers runs, and the mock driver passes it", (t) =>
    tryDriver(t, layout.bin),
  );
});

async function tryStore(env: ClusterState["env"]): Promise<void> {
  const root = { access: env["AWS_ACCESS_KEY_ID"] ?? "", secret: env["AWS_SECRET_ACCESS_KEY"] ?? "" };
  const at = (path: string) => new URL(path, env["AWS_ENDPOINT_URL"]);
  equal((await ask("PUT", at("/photos"), root)).status, 200);
  match(await (await ask("GET", at("/"), root)).text(), /<Name>photos<\/Name>/);
  equal((await ask("GET", at("/"), { ...root, secret: "a guess" })).status, 403);
  equal((await fetch(at("/"))).status, 403, "without a signature");
}

async function tryDriver(t: TestContext, bin: string): Promise<void> {
  const folder = await freshCache(t);
  const socket = join(folder, "csi.sock");
  const env = { ...process.env, CSI_ENDPOINT: `unix://${socket}` };
  const driver = spawn(join(bin, "mock-driver"), [], { env, stdio: "ignore" });
  t.after(() => driver.kill("SIGKILL"));
  await until("the mock driver listens", () => existsSync(socket));
  const folders = [`--csi.mountdir=${join(folder, "mount")}`, `--csi.stagingdir=${join(folder, "staging")}`];
  const words = [`--csi.endpoint=${socket}`, ...folders, "--ginkgo.no-color"];
  const { status, stdout } = spawnSync(join(bin, "csi-sanity"), words, { encoding: "utf8" });
  match(stdout, /[1-9]\d* Passed \| 0 Failed/);
  equal(status, 0);
}

interface Key {
  readonly access: string;
  readonly secret: string;
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();

/** A request without a body, signed as S3 wants it (AWS signature version 4). */
async function ask(method: string, url: URL, { access, secret }: Key): Promise<Response> {
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const [day, empty] = [time.slice(0, 8), sha256("")];
  const headers = { host: url.host, "x-amz-content-sha256": empty, "x-amz-date": time };
  const names = Object.keys(headers).join(";");
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`);
  const request = [method, url.pathname, "", lines.join(""), names, empty].join("\n");
  const scope = `${day}/us-east-1/s3/aws4_request`;
  const key = ["us-east-1", "s3", "aws4_request"].reduce(hmac, hmac(`AWS4${secret}`, day));
  const signature = hmac(key, ["AWS4-HMAC-SHA256", time, scope, sha256(request)].join("\n")).toString("hex");
  const authorization = `AWS4-HMAC-SHA256 Credential=${access}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
  return await fetch(url, { method, headers: { ...headers, authorization } });
}
