import { configMaps } from "../../src/api/gen/core.ts";
import { systemClock } from "../../src/runtime/clock.ts";
import { electOn } from "../../src/runtime/election.ts";
import { logTo } from "../../src/runtime/log.ts";
import { clientOf } from "../fixture/client.ts";

/** A process that wants a lease and writes for as long as it may: the writes are what must never come from two. */
const [kubeconfig = "", namespace = "", identity = "", leaseSeconds = "", renewSeconds = "", retrySeconds = ""] =
  process.argv.slice(2);
const durations = {
  leaseSeconds: Number(leaseSeconds),
  renewSeconds: Number(renewSeconds),
  retrySeconds: Number(retrySeconds),
};
const betweenWritesMilliseconds = 300;

function say(what: string): void {
  // The same clock in every process of this machine.
  process.stdout.write(`${what} at ${process.hrtime.bigint()}\n`);
}

const log = logTo(process.stderr, { format: "text", verbosity: 0, component: "contender" });
const client = await clientOf(kubeconfig);
const election = electOn({
  client: await clientOf(kubeconfig),
  namespace,
  name: "contested",
  identity,
  durations,
  log,
  onLost() {
    say("lost");
    process.exit(3);
  },
});

const stop = new AbortController();
process.once("SIGTERM", () => stop.abort(new Error("stopped")));
await election.acquired(stop.signal);
say("acquired");
for (let n = 1; !stop.signal.aborted; n++) {
  if (election.holdsWithMargin()) {
    say("writes");
    await client.merge(configMaps, { namespace, name: `of-${identity}` }, { data: { n: String(n) } });
    say("wrote");
  }
  await systemClock.sleep(betweenWritesMilliseconds, stop.signal).catch(() => undefined);
}
await election.release();
say("released");
process.exit(0);
