import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { persistentVolumeClaims } from "../../../src/api/gen/core.ts";
import type { KubeObject } from "../../../src/api/object.ts";
import type { Stage } from "../../faults/sweep/flow.ts";
import { testCertificate } from "../../fixture/certificate.ts";
import { clientAs } from "../../fixture/client.ts";
import { until } from "../../fixture/portway.ts";

/** A write of the engine, as the server asks about it before it stores it. */
export interface Arriving {
  readonly operation: "CREATE" | "UPDATE" | "DELETE";
  readonly resource: { readonly resource: string };
  readonly namespace?: string;
  readonly name: string;
  readonly object?: KubeObject;
  readonly oldObject?: KubeObject;
}

/** What a person does at the very moment in which a write of the engine arrives at the server. */
interface Act {
  readonly isMeant: (write: Arriving) => boolean;
  readonly happen: () => Promise<void>;
}

const armed = new Set<Act>();
const account = "system:serviceaccount:portway-system:portway-transfer";
const probe = "tripwire-probe";
let listening: Promise<{ readonly url: string; readonly caBundle: string }> | undefined;
let fault: unknown;

/** Happens once, and the write is stored only afterwards. Answers how to take it back. */
export function whenArrives(isMeant: Act["isMeant"], happen: Act["happen"]): () => void {
  const act = { isMeant, happen };
  armed.add(act);
  return () => {
    armed.delete(act);
    if (fault !== undefined) throw fault as Error;
  };
}

/**
 * A validating webhook that sees the engine's writes only, and lets them all pass. An act of a tenant so comes between the
 * same two writes in every run, whatever else goes wrong in it: nothing but the server's own order decides.
 */
export async function layTripwire({ cluster }: Pick<Stage, "cluster">): Promise<void> {
  const { url, caBundle } = await (listening ??= listen());
  await cluster.apply(
    JSON.stringify({
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingWebhookConfiguration",
      metadata: { name: "tripwire.test.portway.dev" },
      webhooks: [
        {
          name: "tripwire.test.portway.dev",
          clientConfig: { url, caBundle },
          rules: [
            {
              apiGroups: [""],
              apiVersions: ["v1"],
              operations: ["CREATE", "UPDATE", "DELETE"],
              resources: ["persistentvolumeclaims", "persistentvolumes"],
            },
          ],
          matchConditions: [{ name: "of-the-engine", expression: `request.userInfo.username == '${account}'` }],
          // It listens only as long as its test; afterwards nobody may be held up by it.
          failurePolicy: "Ignore",
          timeoutSeconds: 30,
          sideEffects: "NoneOnDryRun",
          admissionReviewVersions: ["v1"],
        },
      ],
    }),
  );
  await untilLaid(cluster);
}

async function untilLaid(cluster: Stage["cluster"]): Promise<void> {
  let isSeen = false;
  const disarm = whenArrives(
    ({ name }) => name === probe,
    async () => void (isSeen = true),
  );
  const engine = await clientAs(cluster, account);
  try {
    await until("the tripwire is laid", async () => {
      await engine.create(
        persistentVolumeClaims,
        {
          metadata: { namespace: "default", name: probe },
          spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1" } } },
        },
        { dryRun: true },
      );
      return isSeen;
    });
  } finally {
    disarm();
    await engine.close();
  }
}

async function listen(): Promise<{ readonly url: string; readonly caBundle: string }> {
  const { certificate, key } = testCertificate();
  const server = createServer({ cert: certificate, key }, (request, response) => {
    void answer(request).then((body) => response.writeHead(200, { "content-type": "application/json" }).end(body));
  });
  // A test that is over does not wait for it.
  server.on("connection", (socket: Socket) => void socket.unref());
  server.listen(0, "127.0.0.1").unref();
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `https://127.0.0.1:${port}/`, caBundle: Buffer.from(certificate).toString("base64") };
}

async function answer(request: IncomingMessage): Promise<string> {
  const review = JSON.parse((await buffer(request)).toString("utf8")) as {
    readonly request: Arriving & { readonly uid: string; readonly dryRun?: boolean };
  };
  const { uid, dryRun = false } = review.request;
  const act = [...armed].find(({ isMeant }) => isMeant(review.request));
  if (act !== undefined && (!dryRun || review.request.name === probe)) {
    armed.delete(act);
    await act.happen().catch((problem: unknown) => void (fault = problem));
  }
  const response = { uid, allowed: true };
  return JSON.stringify({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", response });
}
