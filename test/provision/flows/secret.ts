import { secrets } from "../../../src/api/gen/core.ts";
import { type Code, troubles } from "../../../src/rpc/errors.ts";
import type { Tier } from "../../faults/sweep/cases.ts";
import type { Flow, Stage } from "../../faults/sweep/flow.ts";
import { madeAndDeleted } from "./flows.ts";
import { provisioner, sceneOn, setScene, vendorHome, type World } from "./ground.ts";
import { gone } from "./picture.ts";
import { type Rpc, refusedCall } from "./rpc-cases.ts";

/** Never to be seen anywhere but in the driver. */
const canary = "canary-7f3a9c51e0";
const secretName = "credentials";
const everything = 6;

/** Made and deleted with the help of a Secret. */
export const madeWithSecret: Flow<World> = {
  ...madeAndDeleted,
  name: "volume made with a secret",
  beside: (stage, undo) =>
    setScene(stage, undo, (home) => ({
      "csi.storage.k8s.io/provisioner-secret-name": secretName,
      "csi.storage.k8s.io/provisioner-secret-namespace": home,
    })),
  async install(stage) {
    const kubeconfig = await vendorHome(stage, true);
    const metadata = { namespace: sceneOn(stage).home, name: secretName };
    await stage.admin.create(secrets, { metadata, data: { password: Buffer.from(canary).toString("base64") } });
    return kubeconfig;
  },
  // It says all it ever says.
  program: (kubeconfig) => provisioner(kubeconfig, undefined, everything),
  async picture(world, stage) {
    const told = toldIn(stage);
    if (told.length > 0) throw new Error(`G5 the secret is told: ${told.join(", ")}`);
    return await gone(world, stage);
  },
};

/** G5: not in what was written, Events and Leases included, and not in what was said. */
function toldIn({ proxy, subject }: Stage): readonly string[] {
  const written = proxy.log().filter(({ body }) => JSON.stringify([body]).includes(canary));
  return [
    ...written.map(({ verb, resource, name }) => `${verb} ${resource}/${name ?? ""}`),
    ...(subject.lastWords().includes(canary) ? ["its log"] : []),
  ];
}

/** A driver that says in its refusal what it was told in confidence. */
export function echoes(rpc: Rpc, codes: readonly Code[] = Object.keys(troubles) as readonly Code[]): Tier {
  return () =>
    codes
      .filter((code) => rpc === "CreateVolume" || code !== "NOT_FOUND")
      .map((code) => {
        const fault = { code, message: `the password "${canary}" is wrong` };
        return { ...refusedCall(rpc, { when: "before", fault }), says: `${code} with the secret in it at ${rpc}` };
      });
}
