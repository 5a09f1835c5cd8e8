import { setTimeout as sleep } from "node:timers/promises";
import { ApiError } from "../../kube/errors.ts";
import type { Log } from "../../runtime/log.ts";
import { sayOnce } from "../../runtime/say-once.ts";
import { type Intent, intentIn, intentPrefix, intentText } from "./intent.ts";
import { mayWriteLeases } from "./may-write.ts";
import { type Page, type PageClient, pageOf } from "./page.ts";

export interface BookOptions {
  readonly client: PageClient;
  readonly namespace: string;
  /** Of its Leases, without their number. */
  readonly name: string;
  readonly holdsLease: () => boolean;
  readonly log: Log;
  readonly restMilliseconds?: number;
}

/** Which orders the driver may have begun. It outlives the process where the role lets us write Leases. */
export interface IntentBook {
  /** What whoever led before has left open. It is asked again until there is an answer. */
  load(signal: AbortSignal): Promise<void>;
  get(uid: string): Intent | undefined;
  values(): Iterable<Intent>;
  /** Resolves when it is stored: from then on the driver may be asked. */
  open(intent: Intent): Promise<void>;
  close(uid: string): void;
  /** Nothing of a closed one is stored any more: whoever comes after us does not ask the driver for it again. */
  forgotten(uid: string): Promise<void>;
  /** Everything that was opened or closed is stored. */
  stored(): Promise<void>;
}

/** The server takes 262,144 bytes of annotations; those of others need room as well. */
const fullBytes = 200_000;

export function intentBook({ name, log, restMilliseconds = 1000, ...options }: BookOptions): IntentBook {
  const intents = new Map<string, Intent>();
  const places = new Map<string, Page>();
  const pages: Page[] = [];
  const once = sayOnce(log);
  let isOff = false;

  /** Throws when it was refused for another reason than our role: then it is tried again. */
  async function turnOff(problem: unknown): Promise<void> {
    if (!isForbidden(problem) || (await mayWriteLeases(options.client, options.namespace))) throw problem;
    if (isOff) return;
    isOff = true;
    log.warn("volumes begun before a crash may be lost: the role does not let Leases be written", {
      err: problem.message,
    });
  }

  function nextPage(): Page {
    const page = pageOf({
      ...options,
      name: `${name}-${pages.length}`,
      restMilliseconds,
      onTrouble: (problem) => once("the intents cannot be stored yet", problem),
    });
    pages.push(page);
    return page;
  }

  /** Answers whether there may be another page. */
  async function read(signal: AbortSignal): Promise<boolean> {
    const page = nextPage();
    const marks = await page.load(signal).catch((problem: unknown) => {
      pages.pop();
      throw problem;
    });
    for (const [mark, text] of marks ?? []) {
      if (!mark.startsWith(intentPrefix)) continue;
      const reading = intentIn(text);
      if (reading.is === "intent") keep(reading.intent, page);
      else log.warn("an intent is left as it is", { intent: mark, why: reading.why });
    }
    return marks !== undefined;
  }

  function keep(intent: Intent, page: Page): void {
    intents.set(intent.order.claim.uid, intent);
    places.set(intent.order.claim.uid, page);
  }

  return {
    async load(signal) {
      for (;;) {
        try {
          while (await read(signal));
          return;
        } catch (problem) {
          signal.throwIfAborted();
          const isOver = await turnOff(problem).then(
            () => true,
            () => false,
          );
          if (isOver) return;
          once("the intents cannot be read yet", problem);
          await sleep(1000, undefined, { signal });
        }
      }
    },
    get: (uid) => intents.get(uid),
    values: () => intents.values(),
    async open(intent) {
      const { uid } = intent.order.claim;
      const text = intentText(intent);
      const page = pages.find(({ size }) => size + text.length < fullBytes) ?? nextPage();
      if (!isOff) await page.put(markOf(uid), text).catch(turnOff);
      keep(intent, page);
    },
    close(uid) {
      intents.delete(uid);
      if (!isOff) places.get(uid)?.take(markOf(uid));
      places.delete(uid);
    },
    async forgotten(uid) {
      if (!isOff) await Promise.all(pages.map((page) => page.gone(markOf(uid))));
    },
    async stored() {
      if (!isOff) await Promise.all(pages.map((page) => page.stored()));
    },
  };
}

function markOf(uid: string): string {
  return `${intentPrefix}${uid}`;
}

function isForbidden(problem: unknown): problem is ApiError {
  return problem instanceof ApiError && problem.code === 403;
}
