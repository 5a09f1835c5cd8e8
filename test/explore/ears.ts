import type { KubeObject, Stored } from "../../src/api/object.ts";
import { storeOf } from "../../src/kube/cache/store.ts";
import type { Server } from "./model/server.ts";
import { fail, fill } from "./model-sources.ts";
import { delivered, type Event, pendingIn, type View } from "./views.ts";
import type { World } from "./world.ts";

/** What a process may have heard by the time it looks. */
export interface Ear {
  readonly views: readonly View[];
  /** In words, one an event. */
  readonly heard: readonly string[];
  /** Nothing is left to hear. */
  readonly isAll: boolean;
}

/** Each watch is in order, and between two watches there is none: every combination of so much of each. */
export function earsOf(server: Server, views: readonly View[]): readonly Ear[] {
  let ears: readonly Ear[] = [{ views: [], heard: [], isAll: true }];
  for (const view of views) {
    const stages = stagesOf(view, pendingIn(server, view));
    ears = ears.flatMap((ear) =>
      stages.map((stage) => ({
        views: [...ear.views, ...stage.views],
        heard: [...ear.heard, ...stage.heard],
        isAll: ear.isAll && stage.isAll,
      })),
    );
  }
  return ears;
}

/**
 * What a process may see of one watch. Where an event shows nothing new, as those of its own writes do, it is left for
 * later: whoever has heard less can still hear it, so nothing that may happen is missed.
 */
function stagesOf(view: View, events: readonly Event[]): readonly Ear[] {
  const stages: Ear[] = [{ views: [view], heard: [], isAll: true }];
  let now = view;
  let shown = shownBy(view);
  const heard: string[] = [];
  for (const event of events) {
    now = delivered(now, event);
    heard.push(`${event.type} ${view.resource.plural}/${event.object.metadata.name}`);
    const next = shownBy(now);
    if (next === shown) continue;
    shown = next;
    stages.push({ views: [now], heard: [...heard], isAll: true });
  }
  return stages.map((stage, index) => ({ ...stage, isAll: index === stages.length - 1 }));
}

const texts = new WeakMap<View, string>();

/** What the cache of this view has in it. */
function shownBy(view: View): string {
  const known = texts.get(view);
  if (known !== undefined) return known;
  const store = storeOf<Stored<KubeObject>>({}, fail);
  fill(store, view, (object) => object);
  const words = [...store.values()].map(
    ({ metadata: { uid, resourceVersion, finalizers = [] } }) => `${uid} ${resourceVersion} ${finalizers.length}`,
  );
  const text = words.sort().join();
  texts.set(view, text);
  return text;
}

/**
 * No watch is later than so many events. Without such a limit there are endlessly many worlds: who looks at an old one
 * again and again writes again and again.
 */
export function hearsInTime(lateness: number): (world: World) => World {
  return (world) => {
    const { server } = world;
    const isLate = (view: View) => pendingIn(server, view).length > lateness;
    if (!world.processes.some(({ views }) => views.some(isLate))) return world;
    const inTime = (view: View) => {
      const events = pendingIn(server, view);
      return events.slice(0, events.length - lateness).reduce(delivered, view);
    };
    const processes = world.processes.map((process) => ({
      ...process,
      views: process.views.map((view) => (isLate(view) ? inTime(view) : view)),
    }));
    return { ...world, processes };
  };
}
