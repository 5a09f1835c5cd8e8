import { match } from "node:assert/strict";
import { test } from "node:test";
import { goTrouble } from "./trouble.ts";

const cases: readonly (readonly [complaint: string, what: RegExp, next: RegExp])[] = [
  ["write /x/a.o: no space left on device", /the disk is full/, /Free some space/],
  ['go: a@v1: Get "https://x/": dial tcp: lookup x: no such host', /cannot be downloaded/, /Check the network/],
  ["go: a@v1: module lookup disabled by GOPROXY=off", /cannot be downloaded/, /GOPROXY/],
  ["verifying a@v1: checksum mismatch", /not the one that was pinned/, /Do not build it/],
  ["go: go.mod requires go >= 1.26.0 (running go 1.24.1; GOTOOLCHAIN=local)", /Go is too old/, /go\.dev/],
  ["compile: signal: killed", /lack of memory/, /GOMAXPROCS=1/],
  ["./main.go:3:1: undefined: x", /undefined: x/, /report it/],
];

for (const [complaint, what, next] of cases) {
  test(`go says "${complaint}"`, () => {
    const trouble = goTrouble("/some/go/hostpath", ["go: downloading b v1", complaint]);
    match(trouble.message, /cannot build hostpath/);
    match(trouble.message, what);
    match(trouble.next, next);
  });
}
