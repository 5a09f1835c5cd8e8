import { deepEqual, equal, match } from "node:assert/strict";
import { test } from "node:test";
import { portway } from "../fixture/portway.ts";

const sameBytes = /prod wrote {3}sha256:(\w{64})\nstage found {2}sha256:\1\nThe same volume, byte for byte/g;

test("make demo's script runs to its end: two volumes arrive with equal bytes, and a bucket's key is void when it is given back", async (t) => {
  const { code, stdout, stderr } = await portway(t, [], { program: "demo/run.ts" });
  equal(code, 0, stderr);
  match(stdout, /kubectl apply -f demo\/approval.yaml/, "each command is shown as a person would type it");
  match(stdout, /kill -9 portway[^]*Released +Retain +prod +db1-test/, "nobody has the volume, and it is kept");
  match(stdout, /Bound +Delete +stage +db1-test/);
  match(stdout, /transferRequest=stage\/model[^]*Released +Retain +prod +model[^]*Bound +Delete +stage +model/);
  equal(stdout.match(sameBytes)?.length, 2, stdout);
  const uses = [...stdout.matchAll(/program {2}\$ (PUT|GET) s3:\/\/photos-[-0-9a-f]{36}\/greeting\n {2}(\d+)/g)];
  const inBrief = uses.map(([, what, status]) => `${what} ${status}`);
  deepEqual(inBrief, ["PUT 200", "GET 200", "GET 200", "GET 403"], stdout);
  match(stdout, /kill -9 portway[^]*delete bucket\/photos -n stage --wait=false[^]*--for=delete/);
});
