import { once } from "node:events";
import { mkdirSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { create, type DescMethod, type DescService, type Message } from "@bufbuild/protobuf";
import {
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServiceDefinition,
  type sendUnaryData,
} from "@grpc/grpc-js";
import { type Answers, definitionOf } from "../../src/rpc/grpc.ts";
import { loggable } from "../../src/rpc/redact.ts";
import { type Actor, actor, type Outcome } from "./act.ts";
import { callLogIn } from "./calls.ts";
import { readScript } from "./script.ts";
import { garbled } from "./wrong.ts";

export interface DriverPlace {
  readonly socket: string;
  /** A directory for the inventory, the call log and the data; it outlives the driver. */
  readonly state: string;
  /** Absent means that nothing ever goes wrong. */
  readonly script?: string;
  /** The driver has a process of its own, which a script may kill. */
  readonly mayDie?: boolean;
}

export interface Served {
  readonly service: DescService;
  readonly answers: Readonly<Record<string, (request: never) => unknown>>;
}

export interface RunningDriver {
  /** Cuts all connections and takes the socket away; what is written stays. */
  stop(): Promise<void>;
}

export function served<S extends DescService>(service: S, answers: Answers<S>): Served {
  return { service, answers };
}

export function callLogOf(state: string): string {
  return join(state, "calls.jsonl");
}

interface Manner {
  /** A call that was given up is at its end before the next one begins. */
  readonly inTurn?: boolean;
}

/** Serves on a Unix socket, with faults as the script says and every call written down. */
export async function serve(
  place: DriverPlace,
  services: readonly Served[],
  { inTurn = false }: Manner = {},
): Promise<RunningDriver> {
  mkdirSync(place.state, { recursive: true });
  const methods = services.flatMap(({ service }) => service.methods.map(({ name }) => name));
  const read = () => readScript(place.script, methods);
  read();
  const wire = await listen(place.socket);
  const stopping = new AbortController();
  const free = actor({
    log: callLogIn(callLogOf(place.state)),
    script: read,
    mayDie: place.mayDie ?? false,
    stopped: stopping.signal,
  });
  const act = inTurn ? oneByOne(free) : free;
  const server = new Server({ "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 });
  for (const one of services) server.addService(withGarbage(definitionOf(one.service)), handlersOf(one, act, wire.cut));
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  wire.take((socket) => injector.injectConnection(socket));
  return {
    async stop() {
      stopping.abort();
      server.forceShutdown();
      await wire.close();
    },
  };
}

function oneByOne(act: Actor): Actor {
  let last: Promise<unknown> = Promise.resolve();
  return async (...call) => {
    const mine = last.then(() => act(...call));
    last = mine.catch(() => undefined);
    return await mine;
  };
}

function withGarbage(definition: ServiceDefinition): ServiceDefinition {
  return Object.fromEntries(
    Object.entries(definition).map(([name, method]) => {
      const responseSerialize = (message: object) =>
        garbled.has(message) ? Buffer.from("no message") : method.responseSerialize(message);
      return [name, { ...method, responseSerialize }];
    }),
  );
}

type Handler = (call: ServerUnaryCall<Message, Message>, reply: sendUnaryData<Message>) => void;

function handlersOf({ service, answers }: Served, act: Actor, cut: () => void): Record<string, Handler> {
  return Object.fromEntries(
    service.methods.map((method) => {
      const answer = answers[method.localName] as ((request: Message) => unknown) | undefined;
      if (answer === undefined) throw new Error(`nobody answers ${method.name}`);
      const handle: Handler = ({ request }, reply) => {
        const done = async () => create(method.output, (await answer(request)) as object as Record<string, unknown>);
        void act(callOf(method, request), done).then((outcome) => deliver(outcome, reply, cut));
      };
      return [method.localName, handle];
    }),
  );
}

function callOf(method: DescMethod, request: Message) {
  return { method: method.name, of: subjectOf(request), request: loggable(method.input, request) };
}

const subjects = ["name", "accountName", "volumeId", "snapshotId", "bucketId"];

/** The name or id that a request is about. */
function subjectOf(request: Message): string {
  const fields = new Map(Object.entries(request));
  const found = subjects
    .map((field) => fields.get(field) as unknown)
    .find((value) => value !== undefined && value !== "");
  return typeof found === "string" ? found : "";
}

function deliver(outcome: Outcome, reply: sendUnaryData<Message>, cut: () => void): void {
  if ("message" in outcome) reply(null, outcome.message);
  else if ("status" in outcome) reply(outcome.status);
  else if (outcome.instead === "cut") cut();
}

/** Our own listener, because a fault may be a connection that is cut in the middle of a call. */
async function listen(path: string) {
  rmSync(path, { force: true });
  const open = new Set<Socket>();
  let taken: (socket: Socket) => void = () => undefined;
  const listener = createServer((socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket)).on("error", () => undefined);
    taken(socket);
  });
  listener.listen(path);
  await once(listener, "listening");
  const cut = () => open.forEach((socket) => void socket.destroy());
  return {
    cut,
    take: (how: (socket: Socket) => void) => void (taken = how),
    async close() {
      listener.close();
      cut();
      await once(listener, "close");
    },
  };
}
