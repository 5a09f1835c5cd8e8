import { deepEqual, equal, match } from "node:assert/strict";
import { test } from "node:test";
import { ableDriver, aContent, account } from "../../../test/fixture/bucket-seen.ts";
import { AccessMode } from "../../rpc/gen/buckets_pb.js";
import { accountOf } from "../content.ts";
import { accessModeOf, parametersOf, quotaOf, unsupported } from "./request.ts";

const unable = { ...ableDriver, limitsAccess: false, limitsSize: false };
const wishing = (parameters: Readonly<Record<string, string>>, mode: "Greenfield" | "Brownfield" = "Greenfield") =>
  aContent({ mode, spec: { parameters } });

test("the access that a class names is asked for, and none means the driver's own", () => {
  const asked = (...accessModes: readonly ("ro" | "wo" | "rw")[]) => accessModeOf(aContent({ spec: { accessModes } }));
  deepEqual(
    [asked("ro"), asked("wo"), asked("rw")],
    [AccessMode.READ_ONLY, AccessMode.WRITE_ONLY, AccessMode.READ_WRITE],
  );
  deepEqual([asked(), accessModeOf(aContent())], [AccessMode.UNSPECIFIED, AccessMode.UNSPECIFIED]);
});

test("a driver is told what is meant for it, and neither our own words nor the limits", () => {
  const parameters = {
    region: "eu",
    "cosi.io/secret-format": "aws",
    maxSizePerBucket: "1Gi",
    maxObjectsPerBucket: "5",
  };
  deepEqual(parametersOf(wishing(parameters)), { region: "eu" });
  deepEqual(parametersOf(aContent()), {});
});

test("limits are asked for as what they are", () => {
  deepEqual(quotaOf(wishing({ maxSizePerBucket: "1Ki" })), { maxBytes: 1024n });
  equal(quotaOf(aContent()), undefined);
});

test("the account is named after the content, always the same", () => equal(accountOf(aContent()), account));

test("what a driver can do, it is asked", () => {
  for (const mode of ["ro", "wo", "rw"] as const)
    equal(unsupported({ content: aContent({ spec: { accessModes: [mode] } }), driver: ableDriver }), undefined);
  equal(unsupported({ content: wishing({ maxSizePerBucket: "1Gi" }), driver: ableDriver }), undefined);
  equal(unsupported({ content: aContent({ spec: { accessModes: ["rw"] } }), driver: unable }), undefined);
});

const refused: readonly (readonly [says: string, content: ReturnType<typeof aContent>, why: string, words: RegExp])[] =
  [
    ["keys that only read", aContent({ spec: { accessModes: ["ro"] } }), "AccessModeUnsupported", /only ro/],
    ["keys that only write", aContent({ spec: { accessModes: ["wo"] } }), "AccessModeUnsupported", /only wo/],
    ["a bucket of a size", wishing({ maxSizePerBucket: "1Gi" }), "QuotaUnsupported", /s3\.example\.com cannot limit/],
    ["so many objects", wishing({ maxObjectsPerBucket: "3" }), "QuotaUnsupported", /cannot limit/],
    ["a limit that is none", wishing({ maxSizePerBucket: "much" }), "ParameterUnfit", /maxSizePerBucket is "much"/],
  ];

for (const [says, content, why, words] of refused)
  test(`a driver that cannot is not asked for ${says}`, () => {
    const found = unsupported({ content, driver: unable });
    equal(found?.why, why);
    match(found?.detail ?? "", words);
  });

test("a bucket that was there before is not limited, whatever the driver can do", () => {
  const content = wishing({ maxSizePerBucket: "1Gi" }, "Brownfield");
  equal(unsupported({ content, driver: ableDriver })?.why, "QuotaUnsupported");
});
