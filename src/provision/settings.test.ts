import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { command } from "../cli/command.ts";
import { runCommand } from "../cli/run.ts";
import { provisionFlags } from "./flags.ts";
import { identityOf, type ProvisionSettings, provisionSettings } from "./settings.ts";

type Outcome = {
  readonly settings?: Omit<ProvisionSettings, "identity">;
  readonly said: string;
  readonly code: number;
};

/** As the command line parses them. */
async function started(...words: readonly string[]): Promise<Outcome> {
  const said: string[] = [];
  const tell = (text: string) => void said.push(text);
  const found: Omit<ProvisionSettings, "identity">[] = [];
  const node = command({
    name: "csi-provisioner",
    says: "",
    flags: provisionFlags,
    run: async ({ flags }) => void found.push(provisionSettings(flags)),
  });
  const around = { terminal: { result: tell, say: tell, progress: tell }, env: {}, stop: new AbortController().signal };
  const code = await runCommand({ name: "portway", says: "", commands: [node] }, ["csi-provisioner", ...words], around);
  const [settings] = found;
  return { ...(settings === undefined ? {} : { settings }), said: said.join("\n"), code };
}

test("without a flag everything is as in external-provisioner", async () => {
  const { settings } = await started();
  deepEqual(settings, {
    socket: "/run/csi/socket",
    timeoutSeconds: 10,
    longestTurnSeconds: 70,
    backoff: { firstMilliseconds: 1000, longestMilliseconds: 300_000 },
    volumeNamePrefix: "pvc",
    volumeNameUuidLength: -1,
    defaultFsType: "",
    extraCreateMetadata: false,
    controllerPublishReadOnly: false,
    strictTopology: false,
    immediateTopology: true,
    preventVolumeModeConversion: true,
    sweepSeconds: 300,
    capacity: undefined,
  });
});

test("switches are written as Go takes them, and the word after one is not its value", async () => {
  const { settings } = await started("--extra-create-metadata", "--strict-topology=true", "--immediate-topology=false");
  deepEqual(
    [settings?.extraCreateMetadata, settings?.strictTopology, settings?.immediateTopology],
    [true, true, false],
  );
  equal((await started("--extra-create-metadata", "false")).code, 2);
});

test("the flags that vendors ship are taken, those of Go's log too", async () => {
  const { settings, code } = await started(
    "--v=5",
    "--csi-address=/csi/csi.sock",
    "--timeout=30s",
    "--retry-interval-max",
    "1m",
    "--logtostderr",
    "--feature-gates=Topology=true",
    "--leader-election",
    "--worker-threads=10",
    "--cloning-protection-threads=2",
    "--stderrthreshold=INFO",
    "--kube-api-qps=20",
    "--kube-api-burst=30",
    "--default-fstype=xfs",
    "--volume-name-prefix=vol",
    "--volume-name-uuid-length=12",
  );
  equal(code, 0);
  deepEqual(
    [settings?.socket, settings?.timeoutSeconds, settings?.backoff.longestMilliseconds, settings?.defaultFsType],
    ["/csi/csi.sock", 30, 60_000, "xfs"],
  );
  deepEqual([settings?.volumeNamePrefix, settings?.volumeNameUuidLength], ["vol", 12]);
});

for (const word of [
  "--no-such-flag",
  "--timeout=soon",
  "--timeout=0",
  "--volume-name-uuid-length=0",
  "--strict-topology=maybe",
]) {
  test(`${word} is told as a mistake of the caller`, async () => {
    const { code, said } = await started(word);
    equal(code, 2);
    equal(said.includes("error:"), true, said);
  });
}

test("a process is called by its beginning, some digits and its driver", () => {
  equal(/^1700000000000-\d{1,4}-d\.example\.com$/.test(identityOf("d.example.com", new Date(1_700_000_000_000))), true);
});
