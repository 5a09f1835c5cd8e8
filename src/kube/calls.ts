import { ApiError, type Asked, errorOf, errorOfLoss, unreadable } from "./errors.ts";
import { ConnectionError, type HttpResponse, wholeText } from "./transport/http.ts";
import type { Answer, Exchange, Transport } from "./transport/transport.ts";

/** Requests whose every failure is an ApiError that knows what was asked. */
export interface Calls {
  answer(asked: Asked, request: Exchange): Promise<Answer>;
  object<T>(asked: Asked, request: Exchange): Promise<T>;
  stream(asked: Asked, request: Exchange): Promise<HttpResponse>;
}

export function callsOn(transport: Transport): Calls {
  const calls: Calls = {
    async answer(asked, request) {
      const answer = await transport.exchange(request).catch((problem: unknown) => {
        throw problem instanceof ConnectionError ? errorOfLoss(asked, problem) : problem;
      });
      if (answer.status < 300) return answer;
      throw errorOf(asked, answer);
    },
    async object<T>(asked: Asked, request: Exchange): Promise<T> {
      return parsed(asked, await calls.answer(asked, request)) as T;
    },
    async stream(asked, request) {
      try {
        const response = await transport.stream(request);
        if (response.status === 200) return response;
        throw errorOf(asked, {
          status: response.status,
          headers: response.headers,
          text: await wholeText(response.body),
        });
      } catch (problem) {
        throw problem instanceof ConnectionError ? errorOfLoss(asked, problem) : problem;
      }
    },
  };
  return calls;
}

/** A 200 with something else in it, from a gateway perhaps: nothing is known, least of all that there is nothing. */
export function unexpected(asked: Asked, code: number, message: string): ApiError {
  const facts = { code, reason: "Unexpected", message, causes: [], retryAfterSeconds: undefined };
  return new ApiError(asked, facts, asked.writes ? "in-doubt" : "transient");
}

function parsed(asked: Asked, answer: Answer): unknown {
  try {
    return JSON.parse(answer.text) as unknown;
  } catch {
    throw unexpected(asked, answer.status, unreadable(answer));
  }
}
