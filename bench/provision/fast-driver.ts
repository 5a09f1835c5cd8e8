import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { DescService, Message } from "@bufbuild/protobuf";
import { create } from "@bufbuild/protobuf";
import { type handleUnaryCall, Server, ServerCredentials } from "@grpc/grpc-js";
import {
  Controller,
  ControllerServiceCapability_RPC_Type as Does,
  Identity,
  PluginCapability_Service_Type as Offers,
} from "../../src/rpc/gen/csi_pb.js";
import { type Answers, definitionOf } from "../../src/rpc/grpc.ts";

/**
 * `node bench/provision/fast-driver.ts --socket s --name n --delay milliseconds`: a CSI driver that keeps everything in memory and
 * writes nothing down, so that whoever calls it is what is measured.
 */
const { values } = parseArgs({
  options: { socket: { type: "string" }, name: { type: "string" }, delay: { type: "string" } },
});
const { socket = "", name = "" } = values;
const delay = Number(values.delay ?? "0");
const volumes = new Map<string, { readonly volumeId: string; readonly capacityBytes: bigint }>();

async function after<R>(answer: R): Promise<R> {
  if (delay > 0) await sleep(delay);
  return answer;
}

const server = new Server();
serve(Identity, {
  getPluginInfo: () => ({ name, vendorVersion: "1" }),
  probe: () => ({ ready: true }),
  getPluginCapabilities: () => ({
    capabilities: [{ type: { case: "service", value: { type: Offers.CONTROLLER_SERVICE } } }],
  }),
});
serve(Controller, {
  controllerGetCapabilities: () => ({
    capabilities: [{ type: { case: "rpc", value: { type: Does.CREATE_DELETE_VOLUME } } }],
  }),
  async createVolume(request) {
    const volumeId = `vol-${request.name}`;
    const volume = volumes.get(volumeId) ?? { volumeId, capacityBytes: request.capacityRange?.requiredBytes ?? 0n };
    volumes.set(volumeId, volume);
    return await after({ volume });
  },
  async deleteVolume({ volumeId }) {
    volumes.delete(volumeId);
    return await after({});
  },
});
server.bindAsync(`unix://${socket}`, ServerCredentials.createInsecure(), (problem) => {
  if (problem !== null) throw problem;
});

/** Whatever is not answered here, the server itself refuses. */
function serve<S extends DescService>(service: S, answers: Partial<Answers<S>>): void {
  const handlers = service.methods.flatMap((method) => {
    const answer = (answers as Readonly<Record<string, ((request: Message) => unknown) | undefined>>)[method.localName];
    if (answer === undefined) return [];
    const handle: handleUnaryCall<Message, Message> = ({ request }, reply) =>
      void Promise.resolve(answer(request)).then((said) =>
        reply(null, create(method.output, said as Record<string, unknown>)),
      );
    return [[method.localName, handle] as const];
  });
  server.addService(definitionOf(service), Object.fromEntries(handlers));
}
