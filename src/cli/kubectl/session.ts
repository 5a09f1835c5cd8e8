import type { Client } from "../../kube/client.ts";
import { loadTarget } from "../../kube/config/load-target.ts";
import { type Discovery, discoveryOn } from "../../kube/discovery.ts";
import { openClient } from "../../kube/open-client.ts";
import { wholeNumberOf } from "../../runtime/flag-values.ts";
import type { Call } from "../command.ts";
import type { Terminal } from "../terminal.ts";
import { bounded } from "./bounded.ts";
import { type ClientFlagValues, type Output, outputOf, requestTimeoutOf } from "./flags.ts";
import { asFailure } from "./refusal.ts";
import { targetOf } from "./target-flags.ts";

/** A person at a terminal, connected to a cluster with that person's rights. */
export interface Session {
  readonly client: Client;
  readonly discovery: Discovery;
  readonly namespace: string;
  /** The namespace was named in so many words, and is not just the context's. */
  readonly isNamespaceGiven: boolean;
  readonly output: Output;
  readonly terminal: Terminal;
  readonly stop: AbortSignal;
}

/** Runs the work with a connection, closes it afterwards, and tells the server's refusals as failures. */
export async function inSession<R>(
  call: Pick<Call, "terminal" | "env" | "stop" | "version">,
  flags: ClientFlagValues,
  work: (session: Session) => Promise<R>,
): Promise<R> {
  const output = outputOf(flags.output);
  const timeoutSeconds = requestTimeoutOf(flags["request-timeout"]);
  const verbosity = wholeNumberOf(flags.v ?? "0", "-v", { most: 10 });
  const target = await loadTarget({ env: call.env, ...targetOf(flags) });
  const open = openClient(target, {
    component: "kubectl-portway",
    version: call.version ?? "0",
    ...(verbosity < 6 ? {} : { onAnswer: (answer) => call.terminal.say(requestInWords(answer)) }),
  });
  const client = bounded(open, { signal: call.stop, ...(timeoutSeconds === 0 ? {} : { timeoutSeconds }) });
  const { terminal, stop } = call;
  const discovery = discoveryOn(client);
  const isNamespaceGiven = (flags.namespace ?? "") !== "";
  try {
    return await work({ client, discovery, namespace: target.namespace, isNamespaceGiven, output, terminal, stop });
  } catch (problem) {
    // Whoever has asked to stop does not want to hear which request was cut off by it.
    throw stop.aborted ? stop.reason : asFailure(problem);
  } finally {
    await open.close();
  }
}

function requestInWords(answer: {
  readonly method: string;
  readonly status: number;
  readonly seconds: number;
}): string {
  return `${answer.method}: ${answer.status} in ${Math.round(answer.seconds * 1000)} ms`;
}
