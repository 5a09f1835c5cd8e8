import { Failure, misuse } from "../../api/failure.ts";
import type { Terminal } from "../terminal.ts";

/** Shows what will be done, and does not go on before a person has agreed. */
export async function confirm(terminal: Terminal, plan: readonly string[], isAgreed: boolean): Promise<void> {
  terminal.say(plan.join("\n"));
  if (isAgreed) return;
  if (terminal.ask === undefined)
    throw misuse("nobody is here to confirm this: it is no terminal", "Read the plan above, and add --yes.");
  const answer = await terminal.ask("Go on? [y/N] ");
  if (/^y(es)?$/i.test(answer.trim())) return;
  throw new Failure("nothing was done", "Say y to go on, or add --yes.");
}
