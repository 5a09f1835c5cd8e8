/** What every client under test can do. Each process does one of it once, so that none profits from another's warm-up. */
export interface Subject {
  /** Fills a cache of all claims and one of all volumes, and keeps both up to date; answers how many objects they hold. */
  sync(): Promise<number>;
  get(): Promise<unknown>;
  /** Follows a streamed first list of all claims to its end; answers how many events came. */
  watch(): Promise<number>;
}

export interface Place {
  readonly kubeconfig: string;
  readonly claim: { readonly namespace: string; readonly name: string };
}

/** One line of JSON on stdout; the Go subject prints the same. */
export interface Outcome {
  readonly runtime: string;
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** Objects, answers or events. */
  readonly count: number;
}

const inFlight = 8;

/** Arguments: sync|get|watch|start, the kubeconfig, namespace/name of a claim, how many. */
export async function runSubject(connect: (place: Place) => Promise<Subject>): Promise<void> {
  const [mode = "", kubeconfig = "", key = "", words = "1"] = process.argv.slice(2);
  const [namespace = "", name = ""] = key.split("/");
  const count = Number(words);
  const subject = await connect({ kubeconfig, claim: { namespace, name } });
  switch (mode) {
    case "sync":
      tell(await measured(() => subject.sync()));
      // The watches keep the process alive; the benchmark reads how much memory it uses, and ends it.
      return;
    case "get":
      await getMany(subject, count / 10);
      tell(await measured(() => getMany(subject, count)));
      break;
    case "watch":
      tell(await measured(() => watchMany(subject, count)));
      break;
    case "start":
      tell(await measured(() => getMany(subject, 1)));
      break;
    default:
      throw new Error(`there is no mode "${mode}"`);
  }
  process.exit();
}

async function getMany(subject: Subject, count: number): Promise<number> {
  let asked = 0;
  let answered = 0;
  async function worker(): Promise<void> {
    while (asked++ < count) {
      await subject.get();
      answered++;
    }
  }
  await Promise.all(Array.from({ length: Math.min(inFlight, count) }, worker));
  return answered;
}

async function watchMany(subject: Subject, passes: number): Promise<number> {
  let events = 0;
  for (let pass = 0; pass < passes; pass++) events += await subject.watch();
  return events;
}

async function measured(work: () => Promise<number>): Promise<Outcome> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  const count = await work();
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return { runtime: `Node ${process.version}`, seconds, cpuSeconds: (user + system) / 1e6, count };
}

function tell(outcome: Outcome): void {
  process.stdout.write(`${JSON.stringify(outcome)}\n`);
}
