import { readFile, readlink, writeFile } from "node:fs/promises";

/** A process, told apart from a later one that got the same number. */
interface Holder {
  readonly pid: number;
  /** In clock ticks since boot, as the kernel counts it. */
  readonly startedAtTick: string;
  /** Where locks are seen: they are the kernel's, and only of one boot and one network namespace. */
  readonly realm: string;
}

export async function writeHolder(path: string): Promise<void> {
  const holder: Holder = {
    pid: process.pid,
    startedAtTick: (await startTick(process.pid)) ?? "",
    realm: await realm(),
  };
  await writeFile(path, JSON.stringify(holder));
}

/** The number of the process that wrote this file, if it still runs: signalling any other one would hit a stranger. */
export async function readHolder(path: string): Promise<number | undefined> {
  try {
    const { pid, startedAtTick } = JSON.parse(await readFile(path, "utf8")) as Holder;
    return (await startTick(pid)) === startedAtTick ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a lock of whoever wrote this file would be seen from here; from elsewhere "not locked" means nothing. */
export async function wasHeldHere(path: string): Promise<boolean> {
  try {
    return (JSON.parse(await readFile(path, "utf8")) as Partial<Holder>).realm === (await realm());
  } catch {
    return false;
  }
}

async function realm(): Promise<string> {
  const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8");
  return `${boot.trim()} ${await readlink("/proc/self/ns/net")}`;
}

/** Field 22 of /proc/PID/stat; the second field is a name in brackets that may hold spaces. */
async function startTick(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
}
