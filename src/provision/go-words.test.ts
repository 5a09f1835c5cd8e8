import { equal } from "node:assert/strict";
import { test } from "node:test";
import { RpcError } from "../rpc/errors.ts";
import { codeInGo, inGoWords } from "./go-words.ts";

test("codes are spelt as Go spells them", () => {
  equal(
    ["OK", "CANCELLED", "DEADLINE_EXCEEDED", "UNKNOWN"].map(codeInGo).join(),
    "OK,Canceled,DeadlineExceeded,Unknown",
  );
});

test("a driver's no reads as it always did, and everything else as it is", () => {
  const no = new RpcError("/csi.v1.Controller/CreateVolume", "RESOURCE_EXHAUSTED", "no room", "transient");
  equal(inGoWords(no), "rpc error: code = ResourceExhausted desc = no room");
  equal(inGoWords(new Error("the node is gone")), "the node is gone");
});
