import { deepEqual, match } from "node:assert/strict";
import { test } from "node:test";
import { breaches, directionFaults, importsIn } from "./direction.ts";

const planted: readonly (readonly [says: string, file: string, line: string, objection: RegExp])[] = [
  [
    "an API noun reaches into the client",
    "src/api/claim.ts",
    'import { get } from "../kube/client.ts";',
    /api may not import kube/,
  ],
  [
    "a domain imports another domain",
    "src/transfer/steps.ts",
    'import { x } from "../buckets/rules.ts";',
    /transfer may not import buckets/,
  ],
  [
    "the engine knows a domain",
    "src/runtime/loop.ts",
    'import type { Seen } from "../gate/seen.ts";',
    /runtime may not import gate/,
  ],
  ["a re-export hides it", "src/kube/client.ts", 'export * from "../runtime/loop.ts";', /kube may not import runtime/],
  [
    "an import on demand hides it",
    "src/kube/client.ts",
    'const { loop } = await import("../runtime/loop.ts");',
    /kube may not import runtime/,
  ],
  ["an import of many lines hides it", "src/api/a.ts", '} from "../kube/b.ts";', /api may not import kube/],
  [
    "the command line runs a domain's effects",
    "src/cli/explain.ts",
    'import { act } from "../transfer/steps.ts";',
    /only decisions of transfer/,
  ],
  [
    "a table reads the clock of the machine",
    "src/transfer/rules.ts",
    'import { hrtime } from "node:process";',
    /may not touch the world/,
  ],
  ["shipped code imports a test", "src/dev/a.ts", 'import { x } from "../../test/run.ts";', /not shipped/],
  [
    "a second way to the API server",
    "src/runtime/loop.ts",
    'import { connect } from "node:http2";',
    /only src\/kube talks to Kubernetes/,
  ],
  ["a new room appears unplanned", "src/utils/a.ts", 'import { x } from "./b.ts";', /not a room/],
];

for (const [says, file, line, objection] of planted) {
  test(`is found: ${says}`, () => {
    const [found = "nothing was found"] = breaches(importsIn(file, `// a comment\n${line}`));
    match(found, objection);
    match(found, new RegExp(`^${file}:2: .*${line.slice(0, 6)}`), "it names the file, the line and its text");
  });
}

test("is allowed: the command line runs the very table of a domain", () => {
  deepEqual(breaches(importsIn("src/cli/explain.ts", 'import { rules } from "../transfer/rules.ts";')), []);
});

test("the sources keep the direction", async () => {
  deepEqual(await directionFaults(), []);
});
