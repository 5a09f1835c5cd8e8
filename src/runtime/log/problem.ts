import { Failure } from "../../api/failure.ts";
import type { Trouble } from "../../api/trouble.ts";
import type { Fields } from "./redact.ts";

const mostCauses = 8;

/** What there is to say of something that was thrown. The stack is for those who can repair it: only bugs have one. */
export function problemFields(problem: unknown): Fields {
  const trouble = troubleOf(problem);
  return {
    err: chainOf(problem).join(": because: "),
    ...(problem instanceof Failure ? { next: problem.next } : {}),
    ...(trouble === undefined ? {} : { trouble }),
    ...(isBug(problem) ? { stack: stackOf(problem) } : {}),
  };
}

/** Whatever is thrown and is neither a word to a person nor an answer from a border is our own mistake. */
export function isBug(problem: unknown): boolean {
  if (problem instanceof Failure) return false;
  const trouble = troubleOf(problem);
  return trouble === undefined || trouble === "bug";
}

/** Both borders, to the API server and to drivers, say it in this member. */
function troubleOf(problem: unknown): Trouble | undefined {
  const isError = problem instanceof Error && "trouble" in problem && typeof problem.trouble === "string";
  return isError ? (problem.trouble as Trouble) : undefined;
}

/** One frame after the other on one line, so that a log stays a list of lines. */
export function stackOf(problem: unknown): string | undefined {
  if (!(problem instanceof Error) || problem.stack === undefined) return undefined;
  const frames = problem.stack.split("\n").map((line) => line.trim());
  return frames.filter((line) => line.startsWith("at ")).join(" | ");
}

/** The messages from the outermost to the innermost; one that the last one quotes anyway is not said twice. */
function chainOf(problem: unknown): readonly string[] {
  const said: string[] = [];
  let link: unknown = problem;
  for (let depth = 0; link !== undefined && link !== null && depth < mostCauses; depth++) {
    const message = messageOf(link);
    if (!(said.at(-1) ?? "").includes(message)) said.push(message);
    link = link instanceof Error ? link.cause : undefined;
  }
  return said.length === 0 ? [String(problem)] : said;
}

function messageOf(link: unknown): string {
  if (link instanceof AggregateError && link.errors.length > 0)
    return [link.message, ...link.errors.map(messageOf)].filter((text) => text !== "").join("; ");
  if (link instanceof Error) return link.message === "" ? link.name : link.message;
  return typeof link === "string" ? link : (JSON.stringify(link) ?? String(link));
}
