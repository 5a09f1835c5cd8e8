import type { DescMethod, DescService, Message } from "@bufbuild/protobuf";
import { connectDriver } from "../../../src/rpc/driver.ts";
import { type Code, RpcError, troubles } from "../../../src/rpc/errors.ts";
import { Controller, Identity } from "../../../src/rpc/gen/csi_pb.js";
import { type Loggable, loggable } from "../../../src/rpc/redact.ts";
import { Refusal } from "../../driver/refusal.ts";
import { type DriverPlace, type RunningDriver, type Served, serve } from "../../driver/serve.ts";

/** A call as the driver got it, and its answer: `OK`, or a code and words. */
export interface Heard {
  readonly method: string;
  /** The name or the id that it is about. */
  readonly of: string;
  readonly request: Loggable;
  /** The test's own, so that they can be compared. */
  readonly secrets: Readonly<Record<string, string>>;
  reply: string;
}

export interface Tap extends RunningDriver {
  readonly heard: readonly Heard[];
}

/** A class with this parameter gets this code instead of a volume. */
const refuse = "compare/refuse";
const longestCallSeconds = 60;
/** The reply of a call that the driver is still at. */
export const unanswered = "none yet";

/** Stands between a provisioner and a driver, passes everything on, and writes down what was asked of the controller. */
export async function tapInto(driverSocket: string, place: DriverPlace): Promise<Tap> {
  const driver = connectDriver({ socket: driverSocket, timeoutSeconds: longestCallSeconds });
  const heard: Heard[] = [];
  const passedOn = (service: DescService): Served => {
    const calls = driver.calls(service) as Readonly<Record<string, (request: Message) => Promise<Message>>>;
    const answers = service.methods.map((method) => {
      const ask = calls[method.localName];
      if (ask === undefined) throw new Error(`nobody answers ${method.name}`);
      return [method.localName, (request: Message) => listened(heard, method, request, ask)] as const;
    });
    return { service, answers: Object.fromEntries(answers) };
  };
  const served = await serve(place, [passedOn(Identity), passedOn(Controller)]);
  return {
    heard,
    async stop() {
      await served.stop();
      driver.close();
    },
  };
}

async function listened(
  heard: Heard[],
  method: DescMethod,
  request: Message,
  ask: (request: Message) => Promise<Message>,
): Promise<Message> {
  const { name, volumeId, secrets, parameters } = request as Message & Partial<Asked>;
  const call: Heard = {
    method: method.name,
    of: name ?? volumeId ?? "",
    request: loggable(method.input, request),
    secrets: secrets ?? {},
    reply: unanswered,
  };
  heard.push(call);
  try {
    if (method.name === "CreateVolume") refuseIfAsked(parameters?.[refuse], call.secrets);
    const reply = await ask(request);
    call.reply = "OK";
    return reply;
  } catch (problem) {
    const said = problem instanceof RpcError ? new Refusal(problem.code, problem.details) : problem;
    call.reply = said instanceof Refusal ? `${said.code} ${said.message}` : String(said);
    throw said;
  }
}

interface Asked {
  readonly name: string;
  readonly volumeId: string;
  readonly secrets: Readonly<Record<string, string>>;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Like drivers that there are, it quotes what it was sent. */
function refuseIfAsked(code: string | undefined, secrets: Heard["secrets"]): void {
  if (code === undefined) return;
  if (!(code in troubles)) throw new Error(`there is no code ${code}`);
  throw new Refusal(code as Code, ["the class says so", ...Object.values(secrets)].join(" to "));
}
