import type { TestEvent } from "node:test/reporters";

/** What became of one test, as a line of JSON. */
export interface Told {
  readonly name: string;
  readonly passed: boolean;
  /** What was thrown. */
  readonly why?: string;
}

/** A reporter of node:test: one line a test, and nothing else. */
export default async function* tell(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    if (event.type === "test:pass") yield lineOf({ name: event.data.name, passed: true });
    if (event.type !== "test:fail") continue;
    const { cause } = event.data.details.error;
    yield lineOf({ name: event.data.name, passed: false, why: cause instanceof Error ? cause.message : String(cause) });
  }
}

function lineOf(told: Told): string {
  return `${JSON.stringify(told)}\n`;
}
