import { request as httpRequest } from "node:http";
import { request as httpsRequest, type RequestOptions } from "node:https";
import { connect } from "node:net";

export interface Answer {
  readonly status: number;
  readonly body: string;
}

interface Probe {
  readonly ca?: string;
  readonly token?: string;
}

const withinMilliseconds = 2000;

/** What a local server answers, or undefined while it does not. */
export async function probe(url: string, { ca, token }: Probe = {}): Promise<Answer | undefined> {
  const { promise, resolve } = Promise.withResolvers<Answer | undefined>();
  const options: RequestOptions = {
    timeout: withinMilliseconds,
    agent: false,
    ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
    // Without a CA nothing secret is sent and only "it answers" is learnt: parts make throw-away certificates.
    ...(ca === undefined ? { rejectUnauthorized: false } : { ca }),
  };
  const send = url.startsWith("https:") ? httpsRequest : httpRequest;
  const request = send(url, options, (response) => {
    let body = "";
    response.setEncoding("utf8").on("data", (text: string) => (body += text));
    response.on("end", () => resolve({ status: response.statusCode ?? 0, body }));
    response.on("error", () => resolve(undefined));
  });
  request.on("timeout", () => request.destroy());
  request.on("error", () => resolve(undefined));
  request.on("close", () => resolve(undefined));
  request.end();
  return await promise;
}

export async function isOk(url: string, how: Probe = {}): Promise<boolean> {
  return (await probe(url, how))?.status === 200;
}

/** Whether somebody accepts connections on this Unix socket. */
export async function accepts(path: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(path);
  socket.on("connect", () => resolve(true)).on("error", () => resolve(false));
  const answer = await promise;
  socket.destroy();
  return answer;
}
