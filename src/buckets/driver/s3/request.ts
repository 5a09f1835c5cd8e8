import { Refusal } from "../sdk/refusal.ts";
import { StoreRefusal, silence } from "../store/store-error.ts";
import { encoded, encodedKey, type Keys, signed } from "./sigv4.ts";
import { textOf } from "./xml.ts";

export interface StorePlace {
  readonly url: URL;
  readonly region: string;
  readonly keys: Keys;
  /** Of each request. */
  readonly timeoutSeconds: number;
}

export interface StoreRequest {
  /** For the words of an error: `list the objects of photos`. */
  readonly what: string;
  readonly method: string;
  readonly bucket?: string;
  readonly key?: string;
  /** A path that is no bucket and no key. */
  readonly path?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The body of the answer. A no is a StoreRefusal, and no answer a Refusal. Nothing is repeated: the caller repeats all. */
export async function ask(place: StorePlace, request: StoreRequest): Promise<string> {
  const { status, text } = await answerTo(place, request);
  if (status < 300) return text;
  throw new StoreRefusal(request.what, {
    status,
    code: textOf(text, "Code") ?? "",
    message: textOf(text, "Message") ?? "",
  });
}

async function answerTo(place: StorePlace, request: StoreRequest) {
  const { method, headers, body } = request;
  const url = urlOf(place.url, request);
  const unsigned = {
    method,
    url,
    ...(headers === undefined ? {} : { headers }),
    ...(body === undefined ? {} : { body }),
  };
  try {
    const answer = await fetch(url, {
      method,
      headers: signed(unsigned, { keys: place.keys, region: place.region, now: new Date() }),
      redirect: "manual",
      signal: AbortSignal.timeout(place.timeoutSeconds * 1000),
      ...(body === undefined ? {} : { body }),
    });
    return { status: answer.status, text: await answer.text() };
  } catch (problem) {
    throw silence(request.what, problem, place.timeoutSeconds);
  }
}

function urlOf(base: URL, { bucket, key, path, query = {} }: StoreRequest): URL {
  const parts = [bucket ?? path ?? "", ...(key === undefined ? [] : [encodedKey(key)])];
  const whole = `${base.pathname.replace(/\/$/, "")}/${parts.join("/")}`;
  const url = new URL(whole, base);
  // A key like `../x` would become the name of something else, and a request about that.
  if (url.pathname !== whole) throw new Refusal("FAILED_PRECONDITION", `no URL can name the object "${key ?? ""}"`);
  url.search = Object.entries(query)
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .join("&");
  return url;
}
