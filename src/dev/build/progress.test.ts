import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { compileProgress, duration } from "./progress.ts";

test("shows packages done, how many there are, and the time", () => {
  const lines: string[] = [];
  let clock = 0;
  const terminal = {
    result() {},
    say: (text: string) => lines.push(text),
    progress: (text: string) => lines.push(text),
  };
  const progress = compileProgress("hostpath", terminal, () => clock);
  progress.downloading("go: downloading a v1");
  progress.total(40);
  clock = 75_000;
  progress.compiled("some/package");
  progress.compiled("go: a note of go's own");
  progress.done();
  deepEqual(lines, [
    "building hostpath, once; the result is kept",
    "hostpath: 1 modules downloaded, 0 s",
    "hostpath: 1/40 packages, 1 min 15 s",
    "built hostpath in 1 min 15 s",
  ]);
});

test("durations are written as people say them", () => {
  equal(duration(0.2), "0 s");
  equal(duration(59.4), "59 s");
  equal(duration(59.6), "1 min 0 s");
});
