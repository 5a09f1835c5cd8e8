import { deepEqual, equal, match, notEqual, ok } from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmod, mkdir, readdir, stat, truncate, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { freshCache, portway, start, until } from "../fixture/portway.ts";

const part = "csi-mock";
const program = "mock-driver";
const build = ["dev", "build", part];
// Go's own cache lies in XDG_CACHE_HOME too; with an empty one every build would start from nothing.
const GOCACHE = execFileSync("go", ["env", "GOCACHE"], { encoding: "utf8" }).trim();

async function entries(cache: string): Promise<readonly string[]> {
  return await readdir(join(cache, "portway", "parts")).catch(() => []);
}

/** A `go` that does as it is told, in front of the real one. */
async function pathWithGo(cache: string, script: string): Promise<string> {
  const bin = join(cache, "bin");
  await mkdir(bin);
  await writeFile(join(bin, "go"), `#!/bin/sh\n${script}\n`);
  await chmod(join(bin, "go"), 0o755);
  return `${bin}${delimiter}${process.env["PATH"]}`;
}

test("a part is built once by two runs side by side, and found the third time", async (t) => {
  const env = { XDG_CACHE_HOME: await freshCache(t), GOCACHE };
  const both = await Promise.all([portway(t, build, { env }), portway(t, build, { env })]);
  deepEqual(
    both.map(({ code }) => code),
    [0, 0],
  );
  const said = both.map(({ stderr }) => stderr).join("");
  equal(said.match(/built csi-mock in/g)?.length, 1, said);
  const third = await portway(t, build, { env });
  deepEqual({ code: third.code, stderr: third.stderr }, { code: 0, stderr: "" });
});

test("a cut file in the cache is noticed and built again", async (t) => {
  const env = { XDG_CACHE_HOME: await freshCache(t), GOCACHE };
  const [, directory = ""] = (await portway(t, build, { env })).stdout.trim().split("\t");
  const { size } = await stat(join(directory, program));
  await truncate(join(directory, program), 1000);
  const again = await portway(t, build, { env });
  match(again.stderr, /csi-mock in the cache is damaged; building it again/);
  equal((await stat(join(directory, program))).size, size);
});

test("a build that is killed leaves nothing that looks built, and the next one succeeds", async (t) => {
  const cache = await freshCache(t);
  const env = { XDG_CACHE_HOME: cache, GOCACHE };
  const killed = start(t, build, { env: { ...env, GOCACHE: join(cache, "gocache") } });
  await until("it builds", async () => (await entries(cache)).length > 0);
  killed.process.kill("SIGKILL");
  await killed.ended;
  ok((await entries(cache)).every((name) => name.endsWith(".half")));
  equal((await portway(t, build, { env })).code, 0);
  equal((await entries(cache)).filter((name) => name.endsWith(".half")).length, 0, "the half-made folder is swept");
});

test("a build that is stopped cleans up after itself", async (t) => {
  const cache = await freshCache(t);
  const stopped = start(t, build, { env: { XDG_CACHE_HOME: cache, GOCACHE: join(cache, "gocache") } });
  await until("it builds", async () => (await entries(cache)).length > 0);
  stopped.process.kill("SIGTERM");
  const { code, stderr } = await stopped.ended;
  equal(code, 1);
  match(stderr, /stopped; nothing is left running/);
  deepEqual(await entries(cache), []);
});

test("without a network, one sentence says so", async (t) => {
  const cache = await freshCache(t);
  const env = { XDG_CACHE_HOME: cache, GOMODCACHE: join(cache, "mod"), GOPROXY: "off", GOFLAGS: "" };
  const { code, stderr } = await portway(t, build, { env });
  equal(code, 1);
  match(stderr, /error: cannot build csi-mock: Go modules cannot be downloaded .*\nCheck the network and GOPROXY/);
  deepEqual(await entries(cache), []);
});

test("without go, one sentence says what to get", async (t) => {
  const { code, stderr } = await portway(t, build, { env: { XDG_CACHE_HOME: await freshCache(t), PATH: "/nowhere" } });
  equal(code, 1);
  match(stderr, /^error: go is not on PATH; Go 1\.26\.0 or newer is needed\nGet Go from/);
});

test("a go that is too old is named", async (t) => {
  const cache = await freshCache(t);
  const PATH = await pathWithGo(cache, "printf 'go1.20.3\\nlocal\\n'");
  const { code, stderr } = await portway(t, build, { env: { XDG_CACHE_HOME: cache, PATH } });
  equal(code, 1);
  match(stderr, /Go 1\.26\.0 or newer is needed, and go1\.20\.3 is installed/);
});

test("a full disk in the middle of a build leaves nothing half-made", async (t) => {
  const cache = await freshCache(t);
  const PATH = await pathWithGo(
    cache,
    'if [ "$1" = env ]; then printf "go1.26.8\\nlocal\\n"; else echo "write a.o: no space left on device" >&2; exit 1; fi',
  );
  const { code, stderr } = await portway(t, build, { env: { XDG_CACHE_HOME: cache, PATH } });
  equal(code, 1);
  match(stderr, /the disk is full[\s\S]*Free some space/);
  deepEqual(await entries(cache), []);
});

test("a cache directory that cannot be written is named", async (t) => {
  const cache = await freshCache(t);
  await writeFile(join(cache, "portway"), "in the way");
  const { code, stderr } = await portway(t, build, { env: { XDG_CACHE_HOME: cache } });
  notEqual(code, 0);
  match(stderr, /^error: .*portway.* cannot be used/);
});

test("an unknown part is a usage error that lists the parts", async (t) => {
  const { code, stderr } = await portway(t, ["dev", "build", "frob"]);
  equal(code, 2);
  match(stderr, /no part "frob"[\s\S]*controlplane, hostpath/);
});
