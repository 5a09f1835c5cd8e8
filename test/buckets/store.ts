import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { versitygw } from "../../src/buckets/driver/store/versitygw.ts";
import { terminalOn } from "../../src/cli/terminal.ts";
import { versitygwComponent } from "../../src/dev/addons/versitygw.ts";
import { build } from "../../src/dev/build/build.ts";
import { addonParts } from "../../src/dev/build/parts.ts";
import { type Component, startComponent } from "../../src/dev/component.ts";
import { partsDirectory } from "../../src/dev/paths.ts";
import { freePort } from "../../src/dev/ports.ts";
import { freshCache, type Scope } from "../fixture/portway.ts";

/** A real versitygw of the test's own. */
export interface TestStore {
  readonly url: string;
  readonly region: string;
  readonly root: { readonly access: string; readonly secret: string };
  /** Ends it; what is written stays. */
  stop(): Promise<void>;
  /** As before, at the same address. */
  start(): Promise<void>;
  /** Stops the process in the middle of what it does: it listens and does not answer. */
  freeze(): void;
  thaw(): void;
}

const root = { access: "portway-root", secret: "the-store's-own-secret" };

export interface StoreSettings {
  /** As versitygw is when nobody says otherwise: a user that was deleted may be known for minutes. */
  readonly remembersUsers: boolean;
}

export async function startStore(t: Scope, settings: Partial<StoreSettings> = {}): Promise<TestStore> {
  const stop = new AbortController().signal;
  const terminal = terminalOn(process.stdout, process.stderr);
  const built = await build(addonParts.versitygw, { directory: partsDirectory(process.env), terminal, stop });
  const [directory, port] = [await freshCache(t), await freePort()];
  const folder = async (name: string) => {
    await mkdir(join(directory, name), { recursive: true });
    return join(directory, name);
  };
  const component = await versitygwComponent({ program: built.program("versitygw"), port, folder, root });
  const args = component.args.filter((word) => !(settings.remembersUsers === true && word === "--iam-cache-disable"));
  const spec = { ...component, args };
  let running: Component | undefined;
  const store: TestStore = {
    url: `http://127.0.0.1:${port}`,
    region: "us-east-1",
    root,
    async stop() {
      running?.kill("SIGCONT");
      await running?.stop();
    },
    async start() {
      running = await startComponent({ ...spec, logFile: join(directory, "versitygw.log") }, stop);
    },
    freeze: () => running?.kill("SIGSTOP"),
    thaw: () => running?.kill("SIGCONT"),
  };
  await store.start();
  t.after(async () => await store.stop());
  return store;
}

/** The access keys of all its users, asked by its administrator. */
export async function usersOf({ url, region, root }: TestStore): Promise<ReadonlySet<string>> {
  const keys = { accessKeyID: root.access, accessSecretKey: root.secret };
  const place = { url: new URL(url), adminUrl: new URL(url), region, keys, timeoutSeconds: 30 };
  return new Set(await versitygw(place).listUsers());
}
