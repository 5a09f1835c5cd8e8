import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Below the kernel's range for outgoing connections (32768 and up by default): a port taken from inside that range can
 * become the source port of somebody's connection between our look and the server's bind.
 */
const range = { from: 20_000, to: 32_000 } as const;

/** A loopback port nobody listens on. Two processes may still pick the same one; whoever binds late tries again. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 200; tries++) {
    const port = randomInt(range.from, range.to);
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port on 127.0.0.1 between ${range.from} and ${range.to}`);
}

export async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
