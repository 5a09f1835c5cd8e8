import type { LogSettings } from "../../runtime/flags.ts";
import { readiness } from "../../runtime/health.ts";
import { exitOnBug, runProcess } from "../../runtime/lifecycle.ts";
import { type Log, logTo } from "../../runtime/log.ts";
import { s3Driver } from "./s3/driver.ts";
import type { S3Secrets } from "./s3/settings.ts";
import { type Handled, serveDriver } from "./sdk/serve.ts";
import { versitygw } from "./store/versitygw.ts";

export interface S3Operation {
  readonly endpoint: string;
  readonly name: string;
  readonly version: string;
  readonly storeUrl: URL;
  readonly adminUrl: URL;
  readonly publicUrl: string;
  readonly region: string;
  readonly storeTimeoutSeconds: number;
  readonly secrets: S3Secrets;
  readonly log: LogSettings;
  readonly stop: AbortSignal;
}

const mutedWhenFine = 4;

/** One driver beside one sidecar. It knows a store and no cluster. */
export async function operateS3Driver(operation: S3Operation): Promise<number> {
  const { endpoint, name, version, publicUrl, region, secrets, stop } = operation;
  const log = logTo(process.stderr, { ...operation.log, component: "portway-s3-driver" });
  exitOnBug(log);
  const store = versitygw({
    url: operation.storeUrl,
    adminUrl: operation.adminUrl,
    region,
    keys: { accessKeyID: secrets.rootAccessKey, accessSecretKey: secrets.rootSecretKey },
    timeoutSeconds: operation.storeTimeoutSeconds,
  });
  const masterKey = new TextEncoder().encode(secrets.masterKey);
  const driver = await serveDriver({
    ...s3Driver({ name, version, masterKey, publicUrl, region }, store),
    endpoint,
    secrets: [secrets.rootSecretKey, secrets.masterKey],
    log: (handled) => tell(log, handled),
  });
  log.info("listening", { endpoint: driver.endpoint, driver: name, store: operation.storeUrl.href });
  const ready = readiness("it is ending");
  ready.set(true);
  return await runProcess({ log, stop, ready, parts: { finishCalls: () => driver.stop() } });
}

function tell(log: Log, { method, code, error, ...rest }: Handled): void {
  if (error === undefined) log.debug(mutedWhenFine, method, { code, ...rest });
  else log.warn(method, { code, said: error, seconds: rest.seconds, request: rest.request });
}
