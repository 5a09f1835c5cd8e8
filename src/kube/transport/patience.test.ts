import { deepEqual } from "node:assert/strict";
import { test } from "node:test";
import { patience } from "./patience.ts";

test("who comes with the same wish waits for the rest of the time, whatever its query, also with its status; others do not", () => {
  let now = 0;
  const { asked, left } = patience(() => now);
  asked("/api/v1/namespaces/a/persistentvolumeclaims/x?fieldManager=f", 1000);
  now = 400;
  deepEqual(
    ["x", "x?dryRun=All", "x/status?fieldManager=f", "y"].map((name) =>
      left(`/api/v1/namespaces/a/persistentvolumeclaims/${name}`),
    ),
    [600, 600, 600, 0],
  );
  now = 1000;
  deepEqual(left("/api/v1/namespaces/a/persistentvolumeclaims/x"), 0);
});
