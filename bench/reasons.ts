import type { Medians } from "./report.ts";

/** What is known about goals that are missed. Each sentence stands on figures of the same run, or says where it comes from. */
const sync = "sync, s";
const server = "sync, CPU s of the server";
const peak = "memory at its peak, MB";

export function syncBesideClientGo(of: Medians): string {
  const [ours, wire, go] = [of(sync, "portway"), of(sync, "bytes only"), of(sync, "client-go")];
  return `The goal is ${seconds(go * 1.3)} here. To read the same two streams of JSON and drop them takes ${wire} s, to
decode, project and cache them as well ${ours} s. client-go asks for protobuf: for that the server used ${of(server, "client-go")} s of CPU, for
streams of JSON that are dropped ${of(server, "bytes only")} s. Told to ask for JSON, client-go takes ${of(sync, "client-go with JSON")} s. Portway speaks JSON alone, because custom
resources have no protobuf. Tried by hand, without a gain that stood out of the noise: a young generation of 8 MB (13 MB
more memory), and pages of 500 instead of a stream (170 MB at rest).`;
}

export function syncBesideClientNode(of: Medians): string {
  const [node, wire] = [of(sync, "client-node"), of(sync, "bytes only")];
  return `The goal is ${seconds(node / 5)} here, and the bytes alone take ${wire} s. client-node asks for each list in one piece: for that
the server used ${of(server, "client-node")} s of CPU, for streams that are dropped ${of(server, "bytes only")} s. It pays with memory: ${of(peak, "client-node")} MB at its peak against ${of(peak, "portway")} MB.
The goal comes from a test server, on which client-node took 3 s for 10,000 claims; on a real one it does not.`;
}

export function watchBesideClientNode(of: Medians): string {
  const [rate, cpu] = ["watch, events/s", "watch, CPU µs each"];
  return `Dropped unread, the events come at ${of(rate, "bytes only")} a second. In CPU an event costs us
${of(cpu, "portway")} µs and client-node ${of(cpu, "client-node")} µs.`;
}

/** Counted by hand, because the figures of one run do not say who asks the binder for what. */
export function besideManyGives(times: number): string {
  return `**Short of the goal: another tenant's transfer beside many gives takes ${times} times its idle time.** All who bind share the one
client of kube-controller-manager's binder, 20 requests a second by its stock flags, and the binder also writes an Event for each Pending claim
whenever it looks at it: after every change, and every 15 s. Counted by hand in the audit log, with 250 gives on a machine that was
not quiet: 20 requests a second from the first to the last, ten of them Events (893 in all) and ten for 3.3 binds, three each;
pvc-protection had nothing to do. With \`--kube-api-qps=200\` for kube-controller-manager the same gives took a third of the time (9.0/s instead
of 2.9/s), and the other tenant's transfer half (1.4 s instead of 2.8 s). What the rest is was not measured alone; single traces show how a claim that names its volume is bound: the binder looks at
it only when it is kicked, a kick before it has heard of the volume is in vain, and one while it waits to write makes that write fail.
In an earlier run it made no difference whether a giver has one or five volumes at the binder: the Events of the claims that wait come all the same.`;
}

function seconds(value: number): string {
  return `${value.toPrecision(2)} s`;
}
