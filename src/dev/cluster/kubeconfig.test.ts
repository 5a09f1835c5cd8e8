import { doesNotThrow, throws } from "node:assert/strict";
import { test } from "node:test";
import { requireLoopback } from "./kubeconfig.ts";

for (const server of [
  "https://127.0.0.1:6443",
  "https://127.8.9.1:1",
  "https://localhost:6443",
  "https://[::1]:6443",
]) {
  test(`${server} is on this machine`, () => doesNotThrow(() => requireLoopback(server)));
}

for (const server of [
  "https://10.0.0.1:6443",
  "https://example.com",
  "https://127.0.0.1.example.com",
  "https://[::2]:1",
]) {
  test(`${server} is refused`, () => throws(() => requireLoopback(server), /not on this machine/));
}
