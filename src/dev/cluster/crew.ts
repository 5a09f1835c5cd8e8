import { Failure } from "../../api/failure.ts";
import { type Component, startComponent } from "../component.ts";

/** The running processes of one cluster. None of them may end unasked. */
export interface Crew {
  readonly components: ReadonlyMap<string, Component>;
  /** Takes on a process that has just started. */
  readonly started: (component: Component) => void;
  /** Resolves with the reason when a process ends although nobody stopped it. */
  readonly broken: Promise<string>;
  /** Aborted at that moment too: what is still starting is given up at once, and for that reason. */
  readonly death: AbortSignal;
  /** Kills a component with SIGKILL and starts it again as it was. */
  restart(name: string, stop: AbortSignal): Promise<void>;
  stop(): Promise<void>;
}

export function newCrew(): Crew {
  const components = new Map<string, Component>();
  const broken = Promise.withResolvers<string>();
  const death = new AbortController();

  function started(component: Component): void {
    components.set(component.name, component);
    void component.ended.then((reason) => {
      if (components.get(component.name) !== component) return;
      broken.resolve(reason);
      death.abort(new Failure(reason, `Its log: ${component.spec.logFile}`));
    });
  }

  return {
    components,
    started,
    broken: broken.promise,
    death: death.signal,
    async restart(name, stop) {
      const component = components.get(name);
      if (component === undefined) throw new Error(`the cluster has no ${name}`);
      components.delete(name);
      component.kill("SIGKILL");
      await component.ended;
      started(await startComponent(component.spec, stop));
    },
    /** The last started is stopped first, so that nobody complains about a server that is gone. */
    async stop() {
      for (const component of [...components.values()].toReversed()) await component.stop();
    },
  };
}
