import { type BucketContent, bucketContents } from "../../api/gen/cosi.ts";
import { bare } from "../../runtime/bare.ts";
import { type Controller, controllerOn, type Engine, trigger } from "../../runtime/engine.ts";
import { decide } from "../../runtime/table.ts";
import { accountMetrics } from "./metrics.ts";
import type { Registry } from "./registration/controller.ts";
import { type Step, tableFor } from "./rules.ts";
import { type Eyes, keyOf, observe, type Seen } from "./seen.ts";
import { report } from "./status.ts";
import { act } from "./steps.ts";
import type { Tools } from "./tools.ts";

export interface ContentController extends Controller {
  /** The driver was lost and is back: what it could not do it may do now. */
  driverIsBack(): void;
}

/** One loop over the contents of one driver. The server leaves all others out. */
export function contentController(engine: Engine, tools: Tools, registry: Registry): ContentController {
  const { name } = tools.facts;
  const contents = engine.sources.watch(bucketContents, {
    where: { fieldSelector: `spec.provisioner=${name}` },
    selects: ({ spec }) => spec.provisioner === name,
    project: bare<BucketContent>,
  }).cache;
  accountMetrics(engine.registry, () => contents.values());
  let era = 0;
  const eyes: Eyes = { contents, driver: tools.facts, isRegistered: () => registry.isOurs(), era: () => era };
  const controller = controllerOn<Seen, Step>(engine, {
    reconciler: {
      name: "contents",
      observe: async (key, look) => observe(eyes, key, look),
      decide: (seen) => decide(tableFor(seen), seen),
      act: (step, seen, hand) => act(step, seen, hand, tools),
      report,
      operationOf: ({ content }) => content.spec.bucketRef.uuid,
    },
    triggers: [trigger(contents, (content) => [keyOf(content)])],
  });
  let isAtWork = false;
  const wakeAll = () => {
    // Before the lease is ours nothing is looked at.
    if (!isAtWork) return;
    for (const content of contents.values()) controller.loop.queue.add(keyOf(content));
  };
  registry.onChange(wakeAll);
  return {
    loop: controller.loop,
    start() {
      isAtWork = true;
      controller.start();
    },
    driverIsBack() {
      era += 1;
      wakeAll();
    },
  };
}
