import { equal, match, ok, rejects } from "node:assert/strict";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { ownCluster } from "../fixture/dev-cluster.ts";

test("an emulated older server serves the older server's API", async (t) => {
  const cluster = await ownCluster(t, { emulate: "1.33" });
  const emulated = JSON.parse(await cluster.kubectl(["get", "--raw", "/version"])) as { emulationMinor?: string };
  equal(emulated.emulationMinor, "33");
  const kinds = await cluster.kubectl(["api-resources", "-o", "name"]);
  ok(!kinds.includes("mutatingadmissionpolicies."), "1.33 serves no MutatingAdmissionPolicy");
  ok(kinds.includes("validatingadmissionpolicies."));
});

test("programs given by KUBEBUILDER_ASSETS are used, and an existing cluster only gets add-ons", async (t) => {
  const first = await ownCluster(t, {});
  const assets = await mkdtemp(join(tmpdir(), "pw-assets-"));
  t.after(() => rm(assets, { recursive: true }));
  await symlink(join(first.layout.bin, "kubectl"), join(assets, "kubectl"));

  const second = await ownCluster(
    t,
    { existing: true, kubeconfig: first.kubeconfigOf("admin"), with: ["populator-crd"] },
    { KUBEBUILDER_ASSETS: assets },
  );
  equal(second.state.server, first.state.server);
  equal(second.components.size, 0, "no control plane of its own");
  match(await first.kubectl(["get", "crd", "-o", "name"]), /volumepopulators/);

  await second.stop();
  equal(
    await first.kubectl(["get", "namespace", "default", "-o", "name"]),
    "namespace/default\n",
    "the other one still runs",
  );
});

test("an existing cluster that cannot be reached is an error, not a wait", async (t) => {
  await rejects(ownCluster(t, { existing: true, kubeconfig: "/nowhere/kubeconfig" }), /kubectl .*: /);
});
