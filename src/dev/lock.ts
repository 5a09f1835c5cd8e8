import { createHash } from "node:crypto";
import { once } from "node:events";
import { connect, createServer, type Server } from "node:net";

/**
 * A lock between processes of one user on one Linux machine: a listening socket in the abstract namespace. The kernel
 * frees it when its holder dies in whatever way, so there are no stale locks, no pids to check and nothing to clean up;
 * waiting is holding a connection that closes at that moment.
 */
export interface Lock {
  release(): Promise<void>;
}

/** The lock on this path, or undefined while another process holds it. */
export async function tryLock(path: string): Promise<Lock | undefined> {
  const waiting = new Set<{ destroy(): void }>();
  const server = createServer((socket) => {
    waiting.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => waiting.delete(socket));
    socket.resume();
  });
  if (!(await listens(server, socketName(path)))) return undefined;
  server.unref();
  return {
    async release() {
      const closed = once(server, "close");
      server.close();
      for (const socket of waiting) socket.destroy();
      await closed;
    },
  };
}

/** The lock on this path, as soon as it is free; `onWait` is told once if somebody holds it. */
export async function lock(path: string, stop: AbortSignal, onWait: () => void): Promise<Lock> {
  let told = false;
  for (;;) {
    stop.throwIfAborted();
    const held = await tryLock(path);
    if (held !== undefined) return held;
    if (!told) onWait();
    told = true;
    await untilReleased(path, stop);
  }
}

export async function isLocked(path: string): Promise<boolean> {
  const held = await tryLock(path);
  await held?.release();
  return held === undefined;
}

/** Resolves when whoever holds the lock now has let go of it or died, at once when nobody does. */
export async function untilReleased(path: string, stop: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect(socketName(path));
  const abort = () => socket.destroy();
  stop.addEventListener("abort", abort, { once: true });
  socket.resume();
  socket.on("error", () => socket.destroy());
  socket.on("close", () => {
    stop.removeEventListener("abort", abort);
    if (stop.aborted) reject(stop.reason as Error);
    else resolve();
  });
  await promise;
}

async function listens(server: Server, name: string): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  server.once("error", (problem: NodeJS.ErrnoException) => {
    if (problem.code === "EADDRINUSE") resolve(false);
    else reject(problem);
  });
  server.listen(name, () => resolve(true));
  return await promise;
}

function socketName(path: string): string {
  const digest = createHash("sha256").update(path).digest("hex").slice(0, 32);
  return `\0portway-${process.getuid?.() ?? 0}-${digest}`;
}
