import { equal, match } from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { CommandGroup } from "../../src/cli/command.ts";
import { kubectlCommands } from "../../src/cli/commands.ts";
import { completed } from "../../src/cli/completion/complete.ts";
import { runCommand } from "../../src/cli/run.ts";

const root: CommandGroup = {
  name: "kubectl portway",
  says: "hand over, share and provision storage across namespaces",
  commands: kubectlCommands,
};

// No kubeconfig: whoever needs a cluster to find a slip of the pen fails here.
const env = { HOME: "/nowhere" };
const { signal: stop } = new AbortController();

async function says(...words: string[]): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ["", ""];
  const terminal = {
    result: (text: string) => void (out += `${text}\n`),
    say: (text: string) => void (err += `${text}\n`),
    progress() {},
  };
  const code = await runCommand(root, words, { terminal, env, stop });
  return { code, out, err };
}

/** `PORTWAY_GOLDEN=write` writes them anew; what they say then is read in review. */
async function isGolden(name: string, text: string): Promise<void> {
  const file = join(import.meta.dirname, "golden", `${name}.txt`);
  if (process.env["PORTWAY_GOLDEN"] === "write") await writeFile(file, text);
  equal(text, await readFile(file, "utf8"));
}

test("the help of the whole program is as it was", async () => {
  await isGolden("portway", (await says("--help")).out);
});

for (const { name } of kubectlCommands) {
  test(`the help of ${name} is as it was`, async () => {
    await isGolden(name, (await says(name, "--help")).out);
  });
}

for (const name of ["create", "list"]) {
  test(`the help of policy ${name} is as it was`, async () => {
    await isGolden(`policy-${name}`, (await says("policy", name, "--help")).out);
  });
}

for (const name of ["create", "list", "describe", "env", "rm"]) {
  test(`the help of bucket ${name} is as it was`, async () => {
    await isGolden(`bucket-${name}`, (await says("bucket", name, "--help")).out);
  });
}

const wrong: readonly (readonly [words: string, says: RegExp])[] = [
  ["give", /the claim is missing/],
  ["give data", /the target is missing/],
  ["give data bar", /"bar" does not name the target/],
  ["accept", /the source is missing/],
  ["accept a/b", /--size is missing/],
  ["accept a/b --size=big --class=x", /--size is missing, or is no size/],
  ["accept a/b --size=1Gi", /--class is missing/],
  ["accept a/b --size=1Gi --class=x --access-modes=RWO", /--access-modes does not know "RWO"/],
  ["accept a/b --size=1Gi --class=x --volume-mode=block", /--volume-mode does not know "block"/],
  ["take-back", /the claim is missing/],
  ["request", /the source claim is missing/],
  ["request foo", /"foo" does not name the source claim/],
  ["request a/b/c", /"a\/b\/c" does not name/],
  ["request /b", /does not name/],
  ["request A/b", /"A" is no name of a namespace/],
  ["request a/B", /"B" is no name of the source claim/],
  ["request a/b C", /"C" is no name of the target claim/],
  ["request a/b c d", /does not take "d"/],
  ["request a/b --request-name=-", /"-" is no name of the request/],
  ["request a/b --approval-name=x_y", /"x_y" is no name of the approval/],
  ["request a/b --when-unbound=Maybe", /--when-unbound does not know "Maybe"\nWrite one of: Wait, Move\./],
  ["request a/b --when-in-use=move", /--when-in-use does not know "move"/],
  ["request a/b --ttl=soon", /--ttl is no duration: "soon"/],
  ["request a/b --ttl=1500ms", /--ttl is not in whole seconds/],
  ["request a/b --dry-run=maybe", /--dry-run does not know "maybe"/],
  ["request a/b --wait=maybe", /does not take an argument/],
  ["request a/b --timeout=5", /--timeout is no duration/],
  ["request a/b -o xml", /--output does not know "xml"/],
  ["request a/b --request-timeout=fast", /--request-timeout is no duration/],
  ["request a/b --as-group=g", /--as-group needs --as/],
  ["request a/b --as-uid=7", /--as-uid needs --as/],
  ["request a/b --as-user-extra=a=b", /--as-user-extra needs --as/],
  ["request a/b --as=a --as-user-extra=b", /--as-user-extra is no KEY=VALUE: "b"/],
  ["request a/b --insecure-skip-tls-verify=much", /does not take an argument/],
  ["request a/b -v=much", /-v is no whole number/],
  ["request a/b -n=A_B", /"A_B" is no name of the namespace/],
  ["request a/b -A", /Unknown option '-A'/],
  ["approve", /the request is missing/],
  ["approve r", /"r" does not name the request/],
  ["approve a/r --source=B", /"B" is no name of --source/],
  ["deny r", /"r" does not name the request/],
  ["preview x", /does not name the source claim/],
  ["undo", /the request, approval or claim is missing/],
  ["undo a/b", /"a\/b" is no name of the request, approval or claim/],
  ["status foo", /does not take "foo"/],
  ["explain", /TYPE\/NAME is missing\nWrite request\/NAME, approval\/NAME, pvc\/NAME, pv\/NAME or bucket\/NAME\./],
  ["explain pod/x", /"pod\/x" is nothing that can be explained/],
  ["explain request", /"request" is nothing that can be explained/],
  ["rename a", /the claim NEW is missing/],
  ["rename a a", /a has this name already/],
  ["assign", /the volume is missing/],
  ["assign pv x", /"x" does not name the claim/],
  ["doctor x", /does not take "x"/],
  ["doctor --stuck-after=long", /--stuck-after is no duration/],
  ["completion", /the shell is missing\nWrite one of: bash, zsh, fish\./],
  ["completion tcsh", /there is no completion for "tcsh"/],
  ["policy", /policy needs a command\nOne of: create, list\./],
  ["policy make", /policy has no command "make"/],
  ["policy create", /the policy is missing/],
  ["policy create p_q --to=b --count=1", /"p_q" is no name of the policy/],
  ["policy create p --count=1", /nobody is named who may have the claims\nWrite --to NAMESPACE, or --to-selector\./],
  ["policy create p --to=b", /--count is missing/],
  [
    "policy create p --to=b --count=0",
    /--count is no whole number that is allowed: "0"\nWrite a number from 1 to 1000/,
  ],
  ["policy create p --to=b --count=1001", /--count is no whole number that is allowed/],
  ["policy create p --to=B --count=1", /"B" is no name of a namespace/],
  ["policy create p --to-selector=(a --count=1", /--to-selector is no selector: "\(a"/],
  ["policy create p --to=b --count=1 -l =x", /--selector is no selector/],
  ["policy create p --to=b --count=1 --class=Fast", /"Fast" is no name of --class/],
  ["policy create p --to=b --count=1 --max-size=big", /--max-size is no size: "big"/],
  ["policy create p --to=b --count=1 --max-size=0", /--max-size is no size/],
  ["policy create p --to=b --count=1 --until=tomorrow", /--until is no time: "tomorrow"/],
  ["policy create p --to=b --count=1 --until=2030-12-31", /--until is no time/],
  ["policy create p --to=b --count=1 --until=2030-13-31T00:00:00Z", /--until is no time/],
  ["policy list p", /does not take "p"/],
  ["bucket", /bucket needs a command\nOne of: create, list, describe, env, rm\./],
  ["bucket make", /bucket has no command "make"/],
  ["bucket create", /the Bucket is missing/],
  ["bucket create photos", /--class is missing\nWrite the name of a class/],
  ["bucket create Photos --class=fast", /"Photos" is no name of the Bucket/],
  ["bucket create a b --class=fast", /does not take "b"/],
  ["bucket create photos --class=Fast", /"Fast" is no name of --class/],
  ["bucket create photos --class=fast --secret=a_b", /"a_b" is no name of --secret/],
  ["bucket create photos --class=fast --prefix=a_b", /no bucket can have a name that begins with "a_b"/],
  ["bucket create photos --class=fast --prefix=a..b", /begins with "a\.\.b"/],
  ["bucket create photos --class=fast --prefix=-a", /begins with "-a"/],
  ["bucket create photos --class=fast --timeout=5", /--timeout is no duration/],
  ["bucket create photos --class=fast --dry-run=maybe", /--dry-run does not know "maybe"/],
  ["bucket create photos --class=fast -o xml", /--output does not know "xml"/],
  ["bucket list photos", /does not take "photos"/],
  ["bucket list -o xml", /--output does not know "xml"/],
  ["bucket describe", /the Bucket is missing/],
  ["bucket describe a b", /does not take "b"/],
  ["bucket describe photos -o name", /a description has no name/],
  ["bucket env", /the Bucket is missing/],
  ["bucket env photos --shell=tcsh", /--shell does not know "tcsh"\nWrite one of: sh, fish, powershell\./],
  ["bucket env photos --file=f", /--file needs --profile/],
  ["bucket env photos --profile=a]b", /"a\]b" is no name of a profile/],
  ["bucket env photos --profile=", /"" is no name of a profile/],
  ["bucket env photos --profile=a --shell=sh", /--shell and --profile are two ways/],
  ["bucket env photos --profile=a -o json", /-o prints the keys as data\nLeave out -o, or --profile\./],
  ["bucket env photos --shell=sh -o json", /Leave out -o, or --shell\./],
  ["bucket env photos -o name", /keys have no name/],
  ["bucket env photos -o xml", /--output does not know "xml"/],
  ["bucket rm", /the Bucket is missing\nWrite its name, or -l SELECTOR\./],
  ["bucket rm photos A_B", /"A_B" is no name of the Bucket/],
  ["bucket rm photos -l app=shop", /with -l, no Bucket is named/],
  ["bucket rm photos --timeout=5", /--timeout is no duration/],
  ["apply", /-f is missing/],
  ["apply -f", /argument missing/],
];

for (const [words, sentence] of wrong) {
  test(`"${words}" is a usage error that needs no cluster to be found`, async () => {
    const { code, out, err } = await says(...words.split(" "));
    equal(code, 2, err);
    equal(out, "");
    match(err, sentence);
  });
}

test("without a cluster it is said where one was looked for", async () => {
  const { code, err } = await says("status");
  equal(code, 1);
  match(err, /no Kubernetes cluster is configured/);
});

test("a server is enough of a cluster: what is wrong with it is told, and no kubeconfig is missed", async () => {
  const { code, err } = await says("status", "-s=https://127.0.0.1:1", "--request-timeout=1");
  equal(code, 1);
  match(err, /cannot connect to https:\/\/127\.0\.0\.1:1/);
});

const tabs: readonly (readonly [words: readonly string[], offers: RegExp])[] = [
  [["re"], /^request\t[^\n]+\nrename\t[^\n]+\n:4$/],
  [["request", "--when"], /^--when-unbound\t[^\n]+\n--when-in-use\t[^\n]+\n:4$/],
  [["request", "--when-in-use", ""], /^Wait\nFail\n:4$/],
  [["status", "-o", "j"], /^json\n:4$/],
  [["apply", "-f", ""], /^:0$/],
  [["status", "--client-k"], /^--client-key\t[^\n]+\n:4$/],
  [["status", "--client-key", ""], /^:0$/],
  [["request", "--insecure-skip-tls-verify", "--when-in-use", ""], /^Wait\nFail\n:4$/],
  [["status", "--output=j"], /^json\n:4$/],
  [["status", "--watch=j"], /^:4$/],
  [["completion", ""], /^bash\nzsh\nfish\n:4$/],
  [["status", "x"], /^:4$/],
  [["nothing", "x"], /^:4$/],
  [["request", "a"], /^:4$/],
  [[], /^give\t[^]*\n:4$/],
];

for (const [words, offers] of tabs) {
  test(`Tab after "${words.join(" ")}" offers ${offers.source}`, async () => {
    const terminal = { result() {}, say() {}, progress() {} };
    match(await completed(root, words, { terminal, env, stop }), offers);
  });
}
