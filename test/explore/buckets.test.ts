import { match, ok } from "node:assert/strict";
import { test } from "node:test";
import { ableDriver } from "../fixture/bucket-seen.ts";
import { acts, type FlowOptions, flowOf } from "./buckets/flow.ts";
import { type Exploration, explore, inWords } from "./explore.ts";

async function explored(options: FlowOptions): Promise<Exploration> {
  return await explore({ ...(await flowOf(options)), depth: 80, mostStates: 25_000 });
}

const said = ({ violation }: Exploration) => (violation === undefined ? "" : inWords(violation));
const doing = (names: FlowOptions["acts"]) =>
  names.length === 0 ? "nobody interferes" : `somebody ${names.map((name) => acts[name].says).join(" and ")}`;

function nothingIsLost(says: string, options: FlowOptions): void {
  test(`${says}: nothing is lost or left behind when ${doing(options.acts)}`, async (t) => {
    const found = await explored(options);
    ok(found.violation === undefined, said(found));
    ok(found.isComplete, "there are worlds that nobody looked at");
    t.diagnostic(`${found.states} states, ${found.edges} moves, ${found.rests} at rest, ${found.depth} deep`);
  });
}

const atOnce = { ...ableDriver, grantsOnCreate: true };

nothingIsLost("a new bucket, and late events", { acts: [], lateness: 1 });
nothingIsLost("a new bucket", { acts: ["deleteBucket"] });
nothingIsLost("a new bucket whose keys come at once", { acts: ["deleteBucket"], driver: atOnce });
nothingIsLost("a new bucket", { acts: ["useBucket", "deleteBucket"] });
nothingIsLost("a new bucket", { acts: ["keepBucket", "deleteBucket"] });
nothingIsLost("a new bucket", { acts: ["deleteContent", "tearContent"] });
nothingIsLost("a new bucket", { acts: ["deleteBucket", "tearBucket"] });
nothingIsLost("a new bucket", { acts: ["plantSecret"] });
nothingIsLost("a new bucket that is kept", { mode: "Retained", acts: ["useBucket", "deleteBucket"] });
nothingIsLost("a bucket that was there before, and late events", {
  mode: "Brownfield",
  acts: ["deleteBucket"],
  lateness: 1,
});
nothingIsLost("a bucket that was there before", { mode: "Brownfield", acts: ["deleteClass", "deleteBucket"] });
nothingIsLost("keys that were there before", { mode: "Static", acts: ["deleteBucket", "deleteContent"] });
nothingIsLost("keys that were there before", { mode: "Static", acts: ["plantSecret", "deleteBucket"] });
nothingIsLost("keys that were there before", { mode: "Static", acts: ["deleteBucket", "tearBucket", "newBucket"] });
nothingIsLost("keys that were there before", { mode: "Static", acts: ["deleteClass", "otherClass", "deleteBucket"] });
nothingIsLost("keys that were there before, but for one", { mode: "Static", acts: ["completeSecret", "deleteBucket"] });

const wouldBeNoticed: readonly (readonly [row: string, options: FlowOptions, what: RegExp])[] = [
  ["it could go before its keys do", { acts: ["deleteBucket"] }, /^B3: .*a key is good/s],
  ["its content is gone", { acts: ["deleteContent", "tearContent"] }, /^B7: /],
  ["nobody has looked at the Secret of its class", { mode: "Static", acts: [] }, /^C2: /],
  ["its content is not ready", { acts: [] }, /without a source Secret/],
  ["its Secret is not published, or was last seen long ago", { acts: [] }, /^B3: a bound Bucket/],
  ["its content is still there", { acts: ["deleteBucket"] }, /^B1: .*known to nobody/s],
  ["nobody has begun with its content", { acts: ["deleteBucket"] }, /^C3: /],
  ["its driver does not know that it goes", { acts: ["deleteBucket"] }, /^C3: /],
  ["its driver is not done", { acts: ["deleteBucket"] }, /^B1: .*its bucket is still there/s],
  ["its Secret may still be there", { acts: ["deleteBucket"] }, /^B3: .*the Secret is still there/s],
  ["nothing tells yet that it begins", { acts: [] }, /^B1: .*known to nobody/s],
  ["its bucket is not made", { acts: [] }, /without a bucket/],
  ["its keys are not granted", { acts: [] }, /without keys/],
  ["its Secret is not stored", { acts: [] }, /^C2: /],
  ["its keys may be good", { acts: ["deleteBucket"] }, /^B2: .*its keys are not/s],
  ["its bucket goes with it", { acts: ["deleteBucket"] }, /^B1: /],
  ["its Secret may be there", { acts: ["deleteBucket"] }, /^B3: .*the sidecar still has the keys/s],
];

for (const [row, options, what] of wouldBeNoticed) {
  test(`it would be noticed if there were no row "${row}"`, async () => {
    match(said(await explored({ ...options, without: row })), what);
  });
}
