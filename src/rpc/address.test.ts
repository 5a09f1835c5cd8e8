import { deepEqual, equal, throws } from "node:assert/strict";
import { test } from "node:test";
import { addressOf, targetOf } from "./address.ts";

test("a socket is given as a path or as a URL, and anything else is refused with what to do", () => {
  for (const text of ["/run/csi/socket", "unix:///run/csi/socket", "unix:/run/csi/socket"]) {
    deepEqual(addressOf(text), { kind: "unix", path: "/run/csi/socket" });
    equal(targetOf(text), "unix:///run/csi/socket");
  }
  for (const odd of ["", "csi.sock", "unix://", "tcp://", "127.0.0.1", "127.0.0.1:port", "127.0.0.1:70000", "unix:a:1"])
    throws(() => targetOf(odd), /no address of a driver/, odd);
});

test("a TCP address is of this machine", () => {
  equal(targetOf("127.0.0.1:9000"), "ipv4:127.0.0.1:9000");
  equal(targetOf("tcp://localhost:9000"), "ipv4:127.0.0.1:9000");
  equal(targetOf("tcp://[::1]:9000"), "ipv6:[::1]:9000");
  for (const away of ["10.0.0.1:9000", "tcp://0.0.0.0:9000", "driver:9000", "[::]:9000", "127.0.0.1.example.com:9000"])
    throws(() => targetOf(away), /is not on this machine/, away);
});
