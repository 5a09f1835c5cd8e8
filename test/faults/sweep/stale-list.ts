import { type Case, siteOf } from "./case.ts";
import type { Stage } from "./flow.ts";

/**
 * A restarted process is shown an older list, and nothing newer until it has acted on that: what it misses there proves
 * nothing. It may undo what it has done for something that it does not see, and do it again.
 */
export function staleListAfterKill(n: number, resource: string): Case {
  return {
    says: `killed after write ${n}, and shown an old list of ${resource}`,
    explains: 3,
    arm(stage) {
      let release = () => undefined as void;
      let isShown = () => false;
      const kill = async () => {
        const stale = stage.proxy.staleList(resource);
        isShown = () => stale.fired();
        release = heldUntilActed(stage, resource);
        await stage.subject.killed();
      };
      const armed = stage.proxy.arm({ site: siteOf(n, stage), fault: { kind: "kill-after" }, kill });
      return {
        fired: () => armed.fired() && isShown(),
        disarm() {
          armed.disarm();
          release();
        },
      };
    },
  };
}

const pollMilliseconds = 10;
/** From when it has its lease. It may see nothing to do; that too is decided by then. */
const longestMilliseconds = 600;

/** Acted means written, or asked the server itself about such an object. Answers how to end it before. */
function heldUntilActed({ proxy }: Stage, resource: string): () => void {
  const [mark, reads] = [proxy.mark(), proxy.reads().length];
  let late: number | undefined;
  proxy.holdWatches(resource);

  function hasActed(): boolean {
    const writes = proxy.since(mark);
    if (writes.length > 0) late ??= performance.now() + longestMilliseconds;
    return writes.some(({ upkeep }) => !upkeep) || proxy.reads().slice(reads).some(isAboutOne);
  }

  const isAboutOne = (read: { readonly verb: string; readonly resource: string }) =>
    read.verb === "get" && read.resource === resource;

  const timer = setInterval(() => {
    if (hasActed() || (late !== undefined && performance.now() > late)) release();
  }, pollMilliseconds);

  function release(): void {
    clearInterval(timer);
    proxy.releaseWatches(resource);
  }
  return release;
}
