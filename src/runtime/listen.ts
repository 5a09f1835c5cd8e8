import type { Server } from "node:net";
import { Failure } from "../api/failure.ts";
import type { Endpoint } from "./flag-values.ts";

/** A server that cannot listen is somebody's choice of a port, and not a bug. */
export async function listenOn(server: Server, { host, port }: Endpoint, flag: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen({ port, ...(host === undefined ? {} : { host }) }, resolve);
  try {
    await promise;
  } catch (problem) {
    const why = problem instanceof Error && "code" in problem ? String(problem.code) : String(problem);
    throw new Failure(`${flag} ${host ?? ""}:${port} cannot be served: ${why}`, "Choose another address or port.", {
      cause: problem,
    });
  }
}
