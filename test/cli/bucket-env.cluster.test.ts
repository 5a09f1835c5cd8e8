import { deepEqual, equal, match } from "node:assert/strict";
import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { secrets } from "../../src/api/gen/core.ts";
import { buckets } from "../../src/api/gen/cosi.ts";
import { clientOf } from "../fixture/client.ts";
import { freshCache } from "../fixture/portway.ts";
import { bucketStage, isBound, newTeam, programAfter, speaker, type Team, untilTold } from "./bucket-stage.ts";
import { personWith } from "./person.ts";

const stage = await bucketStage();
const { admin, cluster } = stage;
const greeting = "hello from the environment\n";

async function secretOf({ namespace }: Team, name = "photos-keys") {
  return await admin.get(secrets, { namespace, name });
}

test("the keys are given only from the Secret that is the Bucket's own, and no refusal repeats them", async (t) => {
  const team = await newTeam(t, stage);
  const { namespace } = team;
  const says = speaker(team);
  equal((await says("create", "photos", "--class", team.className, "--yes", "--wait")).code, 0);
  const { metadata, data = {} } = await secretOf(team);
  const place = { namespace, name: "photos-keys" };
  const write = async (change: Readonly<Record<string, string | null>>) =>
    await admin.merge(secrets, place, { data: change });
  const refused = async (told: RegExp) => {
    const { code, stdout, stderr } = await says("env", "photos");
    deepEqual([code, stdout], [1, ""]);
    match(stderr, told);
    for (const value of Object.values(data)) {
      const text = Buffer.from(value, "base64").toString();
      if (text.length > 10) equal(stderr.includes(text), false, "a value of the Secret is in the refusal");
    }
  };
  const planted = Buffer.from("http://evil\nexport PATH=/evil").toString("base64");
  await write({ endpoint: planted });
  await refused(/endpoint in the Secret \S+ has characters that no key and no address has/);
  await write({ endpoint: null });
  await refused(/does not have the keys that Portway has put there/);
  await admin.delete(secrets, { ...place, uid: metadata.uid });
  await refused(/the Secret \S+\/photos-keys of the Bucket \S+\/photos is gone/);
  const { ownerReferences = [] } = metadata;
  const spec = { bucketClassName: team.className, secretName: "other" };
  const other = await admin.create(buckets, { metadata: { namespace, name: "other" }, spec });
  const owners = {
    "nobody's": [],
    "a dependent, and not controlled": ownerReferences.map((one) => ({ ...one, controller: false })),
    "another Bucket's": ownerReferences.map((one) => ({ ...one, name: "other", uid: other.metadata.uid })),
  };
  for (const refs of Object.values(owners)) {
    const { metadata: made } = await admin.create(secrets, {
      metadata: { ...place, ownerReferences: refs },
      data,
    });
    await refused(/the Secret \S+\/photos-keys is not the one of the Bucket \S+\/photos\nDo not use it/);
    await admin.delete(secrets, { ...place, uid: made.uid });
  }
});

test("who may see the Bucket and not its Secret gets no keys, and is told which right it takes", async (t) => {
  const team = await newTeam(t, stage);
  equal((await speaker(team)("create", "photos", "--class", team.className, "--yes", "--wait")).code, 0);
  await cluster.kubectl(["-n", team.namespace, "create", "rolebinding", "looks", "--clusterrole=view", "--user=bob"]);
  const bob = await clientOf(cluster.kubeconfigOf("bob"));
  t.after(() => bob.close());
  await untilTold({ ...stage, admin: bob }, team, "photos", "is seen by bob", isBound);
  const refused = await speaker(team, personWith(t, cluster.kubeconfigOf("bob")))("env", "photos");
  deepEqual([refused.code, refused.stdout], [1, ""]);
  match(refused.stderr, /cannot get resource "secrets"[^]*kubectl auth can-i get secrets -n/);
});

test("as a profile the keys are in a file that nobody else reads, beside the others, and a program works with it", async (t) => {
  const team = await newTeam(t, stage);
  const says = speaker(team);
  equal((await says("create", "photos", "--class", team.className, "--yes", "--wait")).code, 0);
  const home = await freshCache(t);
  const file = join(home, "new", "config");
  const toFile = ["env", "photos", "--profile", "photos", "--file", file];
  const written = await says(...toFile);
  deepEqual([written.code, written.stdout], [0, ""], written.stderr);
  equal((await stat(file)).mode & 0o777, 0o600);
  const bucket = /s3:\/\/(\S+)/.exec(written.stderr)?.[1] ?? "";
  const open = () => `export AWS_CONFIG_FILE="${file}" AWS_PROFILE=photos BUCKET_NAME=${bucket}`;
  deepEqual(await programAfter(stage, open), { worked: true, told: greeting });

  const [credentials, config] = [join(home, "credentials"), join(home, "config")];
  const theirs = "[default]\naws_access_key_id = theirs\n\n[photos]\naws_access_key_id = old\nrole_arn = theirs\n";
  await writeFile(credentials, theirs);
  await chmod(credentials, 0o644);
  const own = { AWS_SHARED_CREDENTIALS_FILE: credentials, AWS_CONFIG_FILE: config };
  const atHome = speaker(team, personWith(t, cluster.kubeconfigOf("alice"), own));
  const refused = await atHome("env", "photos", "--profile", "photos");
  equal(refused.code, 2, "somebody else's profile is not replaced without a yes");
  match(refused.stderr, /The profile photos in \S+credentials is replaced; gone are its aws_access_key_id, role_arn/);
  equal(await readFile(credentials, "utf8"), theirs);
  equal((await atHome("env", "photos", "--profile", "photos", "--yes")).code, 0);
  equal((await readFile(credentials, "utf8")).startsWith("[default]\naws_access_key_id = theirs\n\n[photos]\n#"), true);
  equal((await stat(credentials)).mode & 0o777, 0o600, "there are keys in it now that are hers alone");
  equal(/aws_secret/.test(await readFile(config, "utf8")), false, "the other file is often shared");
  equal((await atHome("env", "photos", "--profile", "photos")).code, 0, "her own is replaced without a question");
});
