import { equal } from "node:assert/strict";
import { test } from "node:test";
import { formatted } from "./format.ts";

test("the output is in the common format, imports included", async () => {
  const source = 'import type { B, A } from "./b.ts"\nexport const a: A={"b":1 as B}';
  equal(
    await formatted("src/api/gen/example.ts", source),
    'import type { A, B } from "./b.ts";\nexport const a: A = { b: 1 as B };\n',
  );
});
