import { RpcError } from "../rpc/errors.ts";

/** `DEADLINE_EXCEEDED` is called `DeadlineExceeded` there, and `OK` is `OK`. */
export function codeInGo(code: string): string {
  if (code === "OK") return code;
  const words = code.toLowerCase().split("_");
  const joined = words.map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`).join("");
  return joined === "Cancelled" ? "Canceled" : joined;
}

/** What went wrong, for an Event. A driver's no has the form that people and programs have searched Events for ever since. */
export function inGoWords(problem: Error): string {
  if (!(problem instanceof RpcError)) return problem.message;
  return `rpc error: code = ${codeInGo(problem.code)} desc = ${problem.details}`;
}
