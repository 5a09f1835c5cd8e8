import { misuse } from "../api/failure.ts";
import { secretFlags } from "../buckets/driver/s3/settings.ts";
import { command } from "../cli/command.ts";
import { logFlags } from "../runtime/flags.ts";
import { build } from "./build.ts";

const flags = {
  endpoint: { says: "listen here (unix:///var/lib/cosi/cosi.sock)", value: "ADDRESS" },
  "driver-name": { says: "what classes call this driver (s3.portway.dev)", value: "NAME" },
  "store-endpoint": { says: "the object store", value: "URL" },
  "admin-endpoint": { says: "where the store makes users; --store-endpoint when not given", value: "URL" },
  "public-endpoint": { says: "where tenants reach the store; --store-endpoint when not given", value: "URL" },
  "store-timeout": { says: "how long a request to the store may take (10s)", value: "DURATION" },
  region: { says: "of the store (us-east-1)", value: "NAME" },
  ...secretFlags,
  ...logFlags,
} as const;

/** A bucket driver for versitygw. It has no token and no way to Kubernetes. */
export const s3DriverCommand = command({
  name: "s3-driver",
  says: "make buckets, users and policies on an S3 store, for a sidecar beside it",
  flags,
  async run({ flags, env, stop }) {
    const { operateS3Driver } = await import("../buckets/driver/operate.ts");
    const { secretsFrom, urlOf } = await import("../buckets/driver/s3/settings.ts");
    const { logSettings } = await import("../runtime/flags.ts");
    const { durationOf } = await import("../runtime/flag-values.ts");
    const { "store-endpoint": store } = flags;
    if (store === undefined) throw misuse("--store-endpoint is missing", "Write it like http://127.0.0.1:7070.");
    const storeTimeoutSeconds = durationOf(flags["store-timeout"] ?? "10s", "--store-timeout");
    if (storeTimeoutSeconds <= 0) throw misuse("--store-timeout=0 would wait for no answer", "Write it like 10s.");
    return await operateS3Driver({
      endpoint: flags.endpoint ?? env["COSI_ENDPOINT"] ?? "unix:///var/lib/cosi/cosi.sock",
      name: flags["driver-name"] ?? "s3.portway.dev",
      version: build.version,
      storeUrl: urlOf(store, "--store-endpoint"),
      adminUrl: urlOf(flags["admin-endpoint"] ?? store, "--admin-endpoint"),
      publicUrl: urlOf(flags["public-endpoint"] ?? store, "--public-endpoint").href.replace(/\/$/, ""),
      region: flags.region ?? "us-east-1",
      storeTimeoutSeconds,
      secrets: await secretsFrom(flags, env),
      log: logSettings(flags),
      stop,
    });
  },
});
