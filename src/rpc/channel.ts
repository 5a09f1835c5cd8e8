import {
  type ChannelOptions,
  Client,
  connectivityState,
  credentials,
  Metadata,
  type ServiceError,
  status,
} from "@grpc/grpc-js";
import { targetOf } from "./address.ts";

/** Bytes to one driver and back. It outlives restarts of the driver. */
export interface Channel {
  /** Rejects with the ServiceError of grpc-js. */
  send(path: string, request: Uint8Array, deadline: Date): Promise<Uint8Array>;
  close(): void;
}

/** A channel can hang for ever after its server was restarted. A new one costs little. */
const failuresBeforeNewClient = 3;
const suspicious: readonly number[] = [status.UNAVAILABLE, status.DEADLINE_EXCEEDED];

const options: ChannelOptions = {
  // A reply that is too large would come back as RESOURCE_EXHAUSTED, and read "no space is left" after a success.
  "grpc.max_receive_message_length": -1,
  "grpc.max_send_message_length": -1,
  "grpc.client_idle_timeout_ms": 2 ** 31 - 1,
  "grpc.initial_reconnect_backoff_ms": 100,
  "grpc.max_reconnect_backoff_ms": 1000,
  // Whether a call is repeated is decided by the loop, from the table of errors.
  "grpc.enable_retries": 0,
  "grpc.service_config_disable_resolution": 1,
  "grpc.enable_http_proxy": 0,
  // Or a new client would share the connection of any other client of this process to the same driver.
  "grpc.use_local_subchannel_pool": 1,
};

/** With `onLost`, somebody hears of every connection that ends, also when nobody calls. */
export function channelTo(socket: string, onLost?: () => void): Channel {
  const target = targetOf(socket);
  const connect = () => {
    const fresh = new Client(target, credentials.createInsecure(), options);
    if (onLost !== undefined) watchOver(fresh, onLost);
    return fresh;
  };
  let client = connect();
  let failures = 0;
  let met = false;
  let closed = false;

  /** Calls that are under way on the old client go on. */
  function heard(on: Client, code: number): void {
    if (on !== client || closed) return;
    met ||= !suspicious.includes(code);
    failures = suspicious.includes(code) ? failures + 1 : 0;
    if (failures < failuresBeforeNewClient) return;
    client.close();
    client = connect();
    failures = 0;
  }

  return {
    async send(path, request, deadline) {
      if (closed) throw new Error(`${path}: the connection to ${socket} was closed by us`);
      const on = client;
      try {
        const reply = await unary(on, { path, request, deadline, waitForReady: !met });
        heard(on, status.OK);
        return reply;
      } catch (problem) {
        heard(on, (problem as ServiceError).code);
        throw problem;
      }
    },
    close() {
      closed = true;
      client.close();
    },
  };
}

/** Until the client is closed by us. */
function watchOver(client: Client, onLost: () => void): void {
  const channel = client.getChannel();
  const state = channel.getConnectivityState(false);
  if (state === connectivityState.SHUTDOWN) return;
  channel.watchConnectivityState(state, Number.POSITIVE_INFINITY, (problem) => {
    if (problem !== undefined && problem !== null) return;
    if (state === connectivityState.READY && channel.getConnectivityState(false) !== connectivityState.SHUTDOWN)
      onLost();
    watchOver(client, onLost);
  });
}

interface Sent {
  readonly path: string;
  readonly request: Uint8Array;
  readonly deadline: Date;
  /** A driver that is still starting is waited for, up to the deadline. One that was there and went away is not. */
  readonly waitForReady: boolean;
}

async function unary(client: Client, { path, request, deadline, waitForReady }: Sent): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  client.makeUnaryRequest(
    path,
    (bytes: Uint8Array) => Buffer.from(bytes),
    (bytes) => new Uint8Array(bytes),
    request,
    new Metadata({ waitForReady }),
    { deadline },
    (problem, reply) => {
      if (problem === null && reply !== undefined) resolve(reply);
      else reject(problem ?? new Error(`${path}: grpc-js gave neither a reply nor an error`));
    },
  );
  return await promise;
}
