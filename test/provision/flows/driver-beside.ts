import { connectDriver } from "../../../src/rpc/driver.ts";
import { Controller } from "../../../src/rpc/gen/csi_pb.js";
import type { Calls } from "../../../src/rpc/grpc.ts";
import { type Beside, startBeside } from "../../driver/beside.ts";
import { type CsiInventory, csiInventory } from "../../driver/csi-inventory.ts";

/** A scripted CSI driver beside the process under test. */
export interface DriverBeside extends Beside {
  /** Straight to it: what other sidecars ask, and what a test prepares. */
  readonly controller: Calls<typeof Controller>;
  inventory(): CsiInventory;
}

export async function startDriver(name: string, undo: AsyncDisposableStack): Promise<DriverBeside> {
  const beside = await startBeside("csi-driver.ts", name, undo);
  const direct = connectDriver({ socket: beside.socket });
  undo.defer(() => direct.close());
  return {
    ...beside,
    controller: direct.calls(Controller),
    inventory: () => csiInventory(beside.state).read(),
  };
}
