import { deepEqual, equal, match } from "node:assert/strict";
import { test } from "node:test";
import { load } from "js-yaml";
import { leases } from "../../src/api/gen/coordination.ts";
import { persistentVolumeClaims } from "../../src/api/gen/core.ts";
import type { Examination } from "../../src/cli/doctor/examine.ts";
import type { Finding } from "../../src/cli/doctor/finding.ts";
import { installPortway } from "../fixture/install.ts";
import { until } from "../fixture/portway.ts";
import { approve, ask } from "../transfer/flows/world.ts";
import { cliStage, newWorld, person, twoTeams } from "./stage.ts";

const stage = await cliStage({ controller: true });
const { admin, cluster } = stage;
await until("the controller is at work", async () => {
  const lease = await admin.find(leases, { namespace: "portway-system", name: "portway-transfer" });
  return (lease?.spec?.holderIdentity ?? "") !== "";
});

type Says = ReturnType<typeof person>;

async function examined(who: Says, ...words: readonly string[]) {
  const { code, stdout, stderr } = await who.says("doctor", "-o", "json", ...words);
  const found = JSON.parse(stdout) as Examination;
  const about = (name: string): Finding => {
    const row = found.findings.find((one) => one.about === name);
    if (row === undefined) throw new Error(`there is no row about ${name}: ${stdout}${stderr}`);
    return row;
  };
  equal(code, found.healthy ? 0 : 1, "the exit code says whether there is a fault");
  return { ...found, about };
}

test("an administrator of a cluster where all is well sees so", async (t) => {
  const root = person(t, stage, "admin");
  // Volumes and buckets of other tests may be orphaned or stuck; here it is about the installation.
  const ofOthers = /^(volume|bucket|content|driver) /;
  const { findings, unseen } = await examined(root, "--stuck-after=24h");
  const sick = findings.filter(({ about, is }) => is === "fault" && !ofOthers.test(about));
  deepEqual([sick, unseen], [[], []]);
  const { stdout } = await root.says("doctor");
  const [headings = "", versions = ""] = stdout.split("\n");
  deepEqual(headings.split(/ {2,}/), ["CHECK", "IS", "WHAT", "NEXT"]);
  match(versions, /^versions +ok +Kubernetes v1\.\d+/);
  match(stdout, /\ncontroller +ok +transfer-0 is at work/);
  const inYaml = load((await root.says("doctor", "-o", "yaml")).stdout) as Examination;
  deepEqual(inYaml.findings.map(({ about }) => about).slice(0, 3), findings.map(({ about }) => about).slice(0, 3));
  equal((await root.says("doctor", "-o", "name")).code, 1);
});

test("a tenant is told what it may do and what it cannot see, and nobody's rights are a fault", async (t) => {
  const { from, to, alice } = await twoTeams(t, stage);
  const { findings, unseen, about, healthy } = await examined(alice, "-n", from);
  equal(healthy, true, "what cannot be seen is no fault");
  equal(about("kind StorageTransferRequest").is, "ok", "everybody may ask what is served");
  const hidden = ["policy portway-consent", "gives and accepts", "controller", "volumes"];
  for (const name of hidden) equal(about(name).is, "unseen", name);
  match(
    unseen.map(({ what }) => what).join("\n"),
    /leases\/portway-transfer in portway-system[^]*all persistentvolumes/,
  );
  for (const act of ["request", "approve", "give", "accept"]) equal(about(`may ${act}`).is, "ok", act);
  const elsewhere = await examined(alice, "-n", to);
  for (const act of ["request", "approve", "give", "accept"]) {
    const { is, next = "" } = elsewhere.about(`may ${act}`);
    equal(is, "note", act);
    match(next, new RegExp(`Ask for the role .* in ${to}`));
  }
  equal(findings.length, elsewhere.findings.length);
});

test("a transfer that does not end is told with its id, both ends and the reason, once it takes too long", async (t) => {
  const world = await newWorld(t, stage);
  const hold = (finalizers: readonly string[] | null) =>
    admin.merge(persistentVolumeClaims, { namespace: world.from, name: "foo" }, { metadata: { finalizers } });
  await hold(["test.portway.dev/held"]);
  t.after(() => hold(null).catch(() => undefined));
  await approve(world, { admin });
  await ask(world, { admin });
  const root = person(t, stage, "admin");
  const which = `volume ${world.volume}`;
  const row = async (...words: string[]) =>
    (await examined(root, ...words)).findings.find(({ about }) => about === which);
  await until("it is told", async () => /SourceLeaving/.test((await row("--stuck-after=1s"))?.says ?? ""));
  const stuck = await row("--stuck-after=1s");
  equal(stuck?.is, "fault");
  match(
    stuck.says,
    new RegExp(
      `the transfer \\S+ from ${world.from}/foo to ${world.to}/bar is open for \\d+s: Transferring, SourceLeaving`,
    ),
  );
  match(stuck.next ?? "", new RegExp(`kubectl portway explain pv/${world.volume}`));
  equal(await row("--stuck-after=24h"), undefined, "one that is under way is not stuck");
});

test("a policy that no longer refuses is a fault", async (t) => {
  const root = person(t, stage, "admin");
  t.after(() => installPortway(cluster));
  await cluster.kubectl(["delete", "validatingadmissionpolicybinding", "portway-own-marks"]);
  const { is, says } = (await examined(root)).about("policy portway-own-marks");
  deepEqual([is, says], ["fault", "it has no binding, and refuses nothing"]);
});

test("a webhook that nobody can trust is a fault", async (t) => {
  t.after(() => cluster.kubectl(["delete", "mutatingwebhookconfiguration", "portway", "--ignore-not-found"]));
  await cluster.apply(
    JSON.stringify({
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "MutatingWebhookConfiguration",
      metadata: { name: "portway" },
      webhooks: [
        {
          name: "give.test.portway.dev",
          admissionReviewVersions: ["v1"],
          sideEffects: "None",
          clientConfig: { service: { namespace: "portway-system", name: "portway-webhook" } },
          // It would be asked about what nobody writes.
          rules: [
            { apiGroups: ["test.portway.dev"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["none"] },
          ],
        },
      ],
    }),
  );
  const { is, says } = (await examined(person(t, stage, "admin"))).about("webhook give.test.portway.dev");
  deepEqual([is, says], ["fault", "it has no caBundle yet, so every give is refused"]);
});

test("claims that are held are told, and let go when Portway is removed for good", async (t) => {
  const { from, alice } = await twoTeams(t, stage);
  const root = person(t, stage, "admin");
  const place = { namespace: from, name: "foo" };
  // Nobody can lock it, because there is no such namespace.
  const annotations = { transferRequest: "nobody-lives-here/foo" };
  await admin.merge(persistentVolumeClaims, place, {
    metadata: { annotations, finalizers: ["transfer.portway.dev/hold"] },
  });
  const { is, says } = (await examined(root, "--stuck-after=24h")).about("holds");
  equal(is, "note");
  match(says, new RegExp(`${from}/foo`));
  equal((await root.says("doctor", "--release-holds", "-n", from)).code, 2, "not without being asked");
  const hers = await alice.says("doctor", "--release-holds", "-n", from, "--yes");
  match(hers.stderr, /alice may not change the finalizer/);
  const released = await root.says("doctor", "--release-holds", "-n", from, "--yes");
  match(released.stderr, /foo stays/);
  equal(released.stdout, "persistentvolumeclaim/foo released\n", released.stderr);
  const { metadata } = await admin.get(persistentVolumeClaims, place);
  equal(metadata.finalizers?.includes("transfer.portway.dev/hold"), false);
});
