import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

/** The store as a driver sees it through somebody who can stop a request on its way. */
export interface HeldStore {
  readonly url: string;
  /** What came since the last hold, for instance `PUT /photos?policy=`. */
  readonly seen: readonly string[];
  /**
   * Stops the n-th request from now, before the store hears of it or after it has done what it was asked. Resolves when that
   * one is stopped.
   */
  hold(nth: number, when: "before" | "after"): Promise<void>;
  /** Lets the stopped one go on. */
  release(): void;
}

export async function holdable(t: TestContext, storeUrl: string): Promise<HeldStore> {
  let [count, held, when] = [0, 0, "before"];
  let [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const seen: string[] = [];

  async function pass(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    count += 1;
    seen.push(`${asked.method} ${asked.url}`);
    const isHeld = count === held;
    const stopped = async () => {
      reached.resolve();
      await released.promise;
    };
    if (isHeld && when === "before") await stopped();
    const { method = "", headers, url = "" } = asked;
    // With the host that was signed.
    const onward = request(new URL(url, storeUrl), { method, headers, agent: false });
    asked.pipe(onward);
    const [said] = (await once(onward, "response")) as [IncomingMessage];
    const chunks = await said.toArray();
    if (isHeld && when === "after") await stopped();
    answer.writeHead(said.statusCode ?? 0, said.headers).end(Buffer.concat(chunks as Buffer[]));
  }

  const server = createServer((asked, answer) => void pass(asked, answer));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async hold(nth, how) {
      [count, held, when] = [0, nth, how];
      [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      seen.length = 0;
      await reached.promise;
    },
    release: () => released.resolve(),
  };
}
