import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { GetObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { Failure } from "../src/api/failure.ts";
import type { Cluster } from "../src/dev/cluster/cluster.ts";
import { packageRoot } from "../src/dev/paths.ts";
import { controllerOn, type Process, processBy } from "./portway.ts";
import { as, bound, patience, type Show } from "./stage.ts";

/** A bucket in a real store: asked for, used with its keys, given back while Portway is dead, and then the keys are void. */
export async function lendBucket(cluster: Cluster, show: Show): Promise<void> {
  const [platform, bob] = [as(cluster, "admin", "platform", show), as(cluster, "bob", "bob", show)];
  show(
    "\n# stage wants a bucket. The platform team has a driver for its store, and a class of buckets that stage may use.",
  );
  await cluster.kubectl(["apply", "-f", join(packageRoot, "deploy/drivers/s3.yaml")]);
  const portway = controllerOn(cluster, "buckets");
  const processes = [...storeDriver(cluster), portway];
  try {
    for (const one of processes) await one.start();
    await platform("apply", "-f", "gold.yaml");
    await bob("apply", "-f", "photos.yaml");
    await bob("wait", "bucket/photos", "-n", "stage", bound, patience);
    const program = await programWith(cluster, show);
    await program.put();
    must("200", await program.get());

    show(
      "\n# Portway dies. The Bucket is deleted, and waits: whoever has the keys has them until they are really taken back.",
    );
    await portway.kill();
    show("  kill -9 portway");
    await bob("delete", "bucket/photos", "-n", "stage", "--wait=false");
    must("200", await program.get());

    show(
      "\n# Portway comes back. The Bucket is gone when its keys are void and its bucket is gone with everything in it.",
    );
    await portway.start();
    await bob("wait", "bucket/photos", "-n", "stage", "--for=delete", patience);
    must("403", await program.get());
    show("The same key, at the first request afterwards: 403.");
  } finally {
    for (const one of processes) await one.kill();
  }
}

/** The driver knows the store and no cluster, the sidecar beside it knows the cluster and no store. */
function storeDriver(cluster: Cluster): readonly Process[] {
  const socket = `unix://${join(cluster.layout.directory, "cosi.sock")}`;
  const { AWS_ENDPOINT_URL = "", AWS_ACCESS_KEY_ID = "", AWS_SECRET_ACCESS_KEY = "" } = cluster.state.env;
  const env = {
    PORTWAY_S3_ROOT_ACCESS_KEY: AWS_ACCESS_KEY_ID,
    PORTWAY_S3_ROOT_SECRET_KEY: AWS_SECRET_ACCESS_KEY,
    PORTWAY_S3_MASTER_KEY: randomBytes(32).toString("hex"),
  };
  const args = ["s3-driver", `--endpoint=${socket}`, `--store-endpoint=${AWS_ENDPOINT_URL}`];
  const driver = processBy(async () => ({ args, env }));
  const sidecar = processBy(async () => {
    const kubeconfig = await cluster.serviceAccount("portway-s3", "portway-s3");
    return { args: ["cosi-sidecar", `--driver-address=${socket}`, `--kubeconfig=${kubeconfig}`] };
  });
  return [driver, sidecar];
}

/** What a pod of stage would do: it has the Secret in its environment, and the official client. */
async function programWith(cluster: Cluster, show: Show) {
  const words = ["get", "secret", "photos-keys", "-n", "stage", "-o", "jsonpath={.data}"];
  const data = JSON.parse(await cluster.kubectl(words, { kubeconfig: cluster.kubeconfigOf("bob") })) as Keys;
  const text = (key: keyof Keys) => Buffer.from(data[key] ?? "", "base64").toString();
  const client = new S3Client({
    endpoint: text("endpoint"),
    region: text("region"),
    forcePathStyle: true,
    maxAttempts: 1,
    credentials: { accessKeyId: text("accessKeyID"), secretAccessKey: text("accessSecretKey") },
  });
  const object = { Bucket: text("bucketName"), Key: "greeting" };
  const told = (what: string, answer: string) => {
    show(`program  $ ${what} s3://${object.Bucket}/greeting\n  ${answer}`);
    return answer;
  };
  return {
    put: async () => told("PUT", await statusOf(client.send(new PutObjectCommand({ ...object, Body: "hello" })))),
    get: async () => told("GET", await statusOf(client.send(new GetObjectCommand(object)))),
  };
}

type Keys = Readonly<Partial<Record<"endpoint" | "region" | "bucketName" | "accessKeyID" | "accessSecretKey", string>>>;

interface Answered {
  readonly $metadata: { readonly httpStatusCode?: number | undefined };
}

async function statusOf(request: Promise<Answered>): Promise<string> {
  try {
    return String((await request).$metadata.httpStatusCode);
  } catch (problem) {
    const { $metadata, name = "" } = problem as Partial<Answered> & { readonly name?: string };
    return `${$metadata?.httpStatusCode ?? "no answer"} ${name}`;
  }
}

function must(expected: string, answer: string): void {
  if (!answer.startsWith(expected))
    throw new Failure(`the store answered ${answer} where it should have been ${expected}`, "Please report this.");
}
