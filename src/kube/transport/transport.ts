import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "../../api/defined.ts";
import type { Credentials, Target } from "../config/target.ts";
import { connectionsTo } from "./connections.ts";
import { type Deadline, deadlineOf, defaultTimeoutSeconds, orAborted } from "./deadline.ts";
import {
  type Connection,
  ConnectionError,
  type HttpRequest,
  type HttpResponse,
  header,
  type WholeResponse,
} from "./http.ts";
import { authorization, impersonation } from "./identity-headers.ts";
import { defaultLiveness, type Liveness } from "./liveness.ts";
import { patience } from "./patience.ts";
import { type Rate, rateLimit } from "./rate-limit.ts";

export interface TransportOptions {
  readonly target: Target;
  readonly userAgent: string;
  readonly rate?: Rate;
  /** For requests that do not say how long they may take. */
  readonly timeoutSeconds?: number;
  readonly liveness?: Liveness;
  /** Told of every answer, for metrics. */
  readonly onAnswer?: (answer: { readonly method: string; readonly status: number; readonly seconds: number }) => void;
}

export interface Exchange extends Omit<HttpRequest, "headers"> {
  readonly headers?: Readonly<Record<string, string>>;
  /** For the whole exchange, repetitions included. */
  readonly timeoutSeconds?: number;
}

export type Answer = WholeResponse;

export interface Transport {
  /** Sends and reads the whole answer; repeats where that cannot do harm. */
  exchange(request: Exchange): Promise<Answer>;
  /** Sends once and answers as soon as the answer begins; the deadline is for that beginning. */
  stream(request: Exchange): Promise<HttpResponse>;
  close(): Promise<void>;
}

const mostTries = 6;
/** A busy server that often says goodbye may refuse the same request many times over, and yet takes it in the end. */
const mostRefusals = 30;

export function transportTo({
  target,
  userAgent,
  rate,
  timeoutSeconds = defaultTimeoutSeconds,
  liveness = defaultLiveness,
  onAnswer,
}: TransportOptions): Transport {
  const connections = connectionsTo(target, liveness);
  const turn = rateLimit(rate);
  const busy = patience();
  const always = { accept: "application/json", "user-agent": userAgent, ...impersonation(target) };
  const base = target.server.pathname.replace(/\/$/, "");

  /** A write that is done stays done, whatever those who count it may throw. */
  function tell(answer: Parameters<NonNullable<typeof onAnswer>>[0]): void {
    try {
      onAnswer?.(answer);
    } catch {
      // A figure is lost, nothing else.
    }
  }

  type Sent<R> = { readonly response: R; readonly credentials: Credentials };
  type Way<R> = (connection: Connection, request: HttpRequest) => Promise<R>;
  const whole: Way<WholeResponse> = (connection, request) => connection.exchange(request);
  const begun: Way<HttpResponse> = (connection, request) => connection.open(request);

  async function sendOnce<R extends Head>(request: Exchange, deadline: Deadline, way: Way<R>): Promise<Sent<R>> {
    const { signal } = deadline;
    deadline.waitsFor("its turn");
    await turn(signal);
    deadline.waitsFor("credentials");
    const credentials = await orAborted(target.credentials.current(), signal);
    deadline.waitsFor("a connection");
    return await connections.use(credentials, signal, async (connection) => {
      deadline.waitsFor("the answer");
      const start = performance.now();
      const response = await way(connection, {
        method: request.method,
        path: `${base}${request.path}`,
        headers: { ...always, ...authorization(credentials), ...request.headers },
        ...defined({ body: request.body }),
        signal,
      });
      tell({ method: request.method, status: response.status, seconds: (performance.now() - start) / 1000 });
      return { response, credentials };
    });
  }

  /** A 401 may only mean that the token has rotated: once more with a fresh one. */
  async function send<R extends Head>(request: Exchange, deadline: Deadline, way: Way<R>): Promise<R> {
    const { response, credentials } = await sendOnce(request, deadline, way);
    if (response.status !== 401 || !target.credentials.forget(credentials)) return response;
    response.body?.destroy();
    return (await sendOnce(request, deadline, way)).response;
  }

  /** Two loops may write to one object: time that the server asked the one for is asked of the other as well. */
  async function leftAlone(request: Exchange, deadline: Deadline): Promise<void> {
    const left = isRead(request) ? 0 : busy.left(request.path);
    if (left > 0) await sleep(left, undefined, { signal: deadline.signal });
  }

  return {
    async exchange(request) {
      using deadline = deadlineOf({ timeoutSeconds, ...request });
      for (let [tries, refusals] = [1, 0]; ; tries++) {
        try {
          await leftAlone(request, deadline);
          const answer = await send(request, deadline, whole);
          const pause = tries < mostTries ? pauseBefore(request, answer, tries) : undefined;
          // An answer in hand says more than a deadline that will have passed.
          if (pause === undefined || pause > deadline.leftMilliseconds()) return answer;
          if (answer.status === 429) busy.asked(request.path, pause);
          await sleep(pause, undefined, { signal: deadline.signal });
        } catch (problem) {
          if (isRefusal(problem) && ++refusals < mostRefusals) tries--;
          else if (tries >= mostTries || !mayRepeat(request, problem)) throw deadline.reasonFor(problem);
          const pause = backoff(Math.min(tries + refusals, longestPower));
          await sleep(pause, undefined, { signal: deadline.signal }).catch(() => {
            throw deadline.reasonFor(problem);
          });
        }
      }
    },
    async stream(request) {
      const deadline = deadlineOf({ timeoutSeconds, ...request });
      try {
        const response = await send(request, deadline, begun);
        // From here on the body may take as long as it likes, unless it is the text of a refusal.
        if (response.status === 200) deadline.clearTimer();
        response.body.on("close", () => deadline[Symbol.dispose]());
        return response;
      } catch (problem) {
        deadline[Symbol.dispose]();
        throw deadline.reasonFor(problem);
      }
    },
    close: () => connections.close(),
  };
}

/** What the two kinds of answers have in common. */
interface Head {
  readonly status: number;
  readonly headers: HttpResponse["headers"];
  readonly body?: Readable;
}

const isRead = ({ method }: Exchange) => method === "GET";

function isRefusal(problem: unknown): boolean {
  return problem instanceof ConnectionError && problem.refused;
}

/** A write is repeated only when the server cannot have seen it. */
function mayRepeat(request: Exchange, problem: unknown): boolean {
  return problem instanceof ConnectionError && (isRead(request) || !problem.sent);
}

/**
 * How long to wait before asking again, or undefined to take the answer as it is. 429 says that nothing was done; a
 * 5xx does not, so a write that got one is for the caller to look after.
 */
function pauseBefore(request: Exchange, response: Head, tries: number): number | undefined {
  const asked = Number(header(response, "retry-after"));
  const later = Number.isFinite(asked) && asked > 0 ? asked * 1000 : backoff(tries);
  if (response.status === 429) return later;
  return isRead(request) && [500, 502, 503, 504].includes(response.status) ? later : undefined;
}

/** However often it was refused, nobody waits much longer than a second for the next connection. */
const longestPower = 4;

function backoff(tries: number): number {
  return 50 * 2 ** tries * (0.5 + Math.random());
}
