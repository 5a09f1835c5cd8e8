import { deepEqual, equal, match } from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { load } from "js-yaml";
import type { Reason } from "../../src/api/reasons.ts";
import { packageRoot } from "../../src/dev/paths.ts";
import { travelling } from "../../src/transfer/claim-shape.ts";

/** The reasons with which a transfer ends as Failed: src/transfer/status.ts and src/transfer/proposal/status.ts. */
const failing: readonly Reason[] = ["SourceInUse", "Orphaned"];

async function textOf(path: string): Promise<string> {
  return await readFile(join(packageRoot, path), "utf8");
}

test("those reasons are all that end as Failed", async () => {
  const sources = await Promise.all(["status.ts", "proposal/status.ts"].map((name) => textOf(`src/transfer/${name}`)));
  const found = sources.flatMap((text) =>
    [...text.matchAll(/phase: "Failed", reason: "(\w+)"|return why === "(\w+)"/g)].map((m) => m[1] ?? m[2]),
  );
  deepEqual(new Set(found), new Set(failing));
});

interface Schema {
  readonly description?: string;
  readonly properties: Readonly<Record<string, Schema>>;
}

for (const kind of ["requests", "approvals"]) {
  test(`what storagetransfer${kind} say about Failed is true of each of them`, async () => {
    const crd = load(await textOf(`deploy/crds/storagetransfer${kind}.yaml`)) as {
      readonly spec: { readonly versions: readonly { readonly schema: { readonly openAPIV3Schema: Schema } }[] };
    };
    const phase = crd.spec.versions[0]?.schema.openAPIV3Schema.properties["status"]?.properties["phase"];
    for (const reason of failing) match(phase?.description ?? "", new RegExp(`Failed[^]*reason ${reason}`));
  });
}

test("the page on the API tells them apart, too", async () => {
  const page = await textOf("docs/transfer-api.md");
  for (const reason of failing) match(page, new RegExp(`\\| \`Failed\`, reason \`${reason}\` \\|`));
});

test("the page on transfers names the labels that a claim keeps when it is written again, and no others", async () => {
  const page = await textOf("docs/transfer.md");
  const section = page.split("## A source that comes back")[1]?.split("\n## ")[0] ?? "";
  const named = [...section.matchAll(/`(app\.kubernetes\.io\/[\w-]+)`/g)].map(([, label = ""]) => label);
  const every = ["name", "instance", "version", "component", "part-of", "managed-by"];
  const kept = travelling(Object.fromEntries(every.map((word) => [`app.kubernetes.io/${word}`, "x"]))) ?? {};
  equal(named.toSorted().join(), Object.keys(kept).toSorted().join());
});
