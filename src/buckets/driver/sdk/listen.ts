import { once } from "node:events";
import { chmod, lstat, unlink } from "node:fs/promises";
import { connect } from "node:net";
import type { Server } from "@grpc/grpc-js";
import { ServerCredentials } from "@grpc/grpc-js";
import { Failure } from "../../../api/failure.ts";
import { addressOf, targetOf } from "../../../rpc/address.ts";

/** The sidecar is in the same group (fsGroup of the pod), and nobody else is let in. */
const socketMode = 0o660;

/** Answers where it can be reached: a port 0 has become a real one. */
export async function listen(server: Server, endpoint: string): Promise<string> {
  const address = addressOf(endpoint);
  if (address.kind === "unix") await clearTheWay(address.path);
  const port = await bound(server, targetOf(endpoint), endpoint);
  if (address.kind === "tcp") return `tcp://${address.host}:${port}`;
  await chmod(address.path, socketMode);
  return `unix://${address.path}`;
}

/** A driver that was killed leaves its socket behind. A file of another kind, or a driver that lives, is left alone. */
async function clearTheWay(path: string): Promise<void> {
  const there = await lstat(path).catch((problem: NodeJS.ErrnoException) => {
    if (problem.code === "ENOENT") return undefined;
    throw problem;
  });
  if (there === undefined) return;
  if (!there.isSocket()) throw new Failure(`${path} is there and is no socket`, "Give another path in --endpoint.");
  if (await isAnswered(path))
    throw new Failure(`another driver listens on ${path}`, "Stop it, or give another path in --endpoint.");
  await unlink(path);
}

async function isAnswered(path: string): Promise<boolean> {
  const socket = connect(path);
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function bound(server: Server, target: string, endpoint: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.bindAsync(target.replace(/^ipv[46]:/, ""), ServerCredentials.createInsecure(), (problem, port) => {
    if (problem === null) resolve(port);
    else
      reject(
        new Failure(`cannot listen on ${endpoint}: ${problem.message}`, "See that its folder is there and writable."),
      );
  });
  return await promise;
}
