import { namespaces } from "../../../src/api/gen/core.ts";
import type { Client } from "../../../src/kube/client.ts";
import { answerTo } from "./requests.ts";
import type { Server } from "./server.ts";
import { clientThrough } from "./transport.ts";

/** A server that changes as its client writes, for those who build a state to begin with. */
export interface Holder {
  readonly client: Client;
  readonly server: () => Server;
}

export async function worldWith(start: Server, ...homes: readonly string[]): Promise<Holder> {
  let server = start;
  const client = clientThrough((request) => {
    const answered = answerTo(server, request);
    server = answered.server;
    return answered.reply;
  });
  for (const name of homes) await client.create(namespaces, { metadata: { name } });
  return { client, server: () => server };
}
