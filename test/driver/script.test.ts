import { deepEqual, equal, rejects, throws } from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { test } from "node:test";
import { startCsiDriver } from "./csi.ts";
import { freshPlace } from "./place.ts";
import { lineFor, readScript, type Script, type ScriptLine, writeScript } from "./script.ts";

const line: ScriptLine = { method: "CreateVolume", when: "before", fault: "hang" };

test("the first line that fits a call is taken: method, number of the call, name", () => {
  const script: Script = [
    { ...line, nth: 2 },
    { ...line, of: "b" },
    { ...line, method: "DeleteVolume" },
  ];
  const call = { method: "CreateVolume", nth: 1, of: "a" };
  equal(lineFor(script, call), undefined);
  equal(lineFor(script, { ...call, nth: 2 }), script[0]);
  equal(lineFor(script, { ...call, of: "b" }), script[1]);
  equal(lineFor(script, { ...call, method: "DeleteVolume", nth: 7 }), script[2]);
});

const nonsense: readonly (readonly [says: string, line: object, objection: RegExp])[] = [
  ["a method the driver does not have", { ...line, method: "CreateVolumes" }, /no method CreateVolumes/],
  ["a fault nobody knows", { ...line, fault: "hic" }, /no fault "hic"/],
  ["a code nobody knows", { ...line, fault: { code: "BROKEN" } }, /no code BROKEN/],
  ["an answer nobody knows", { ...line, when: "after", fault: { answer: "odd" } }, /no such answer/],
  ["a wrong answer before the act", { ...line, fault: { answer: "huge" } }, /comes after the act/],
  ["a time that is neither", { ...line, when: "later" }, /before or after/],
];

for (const [says, written, objection] of nonsense) {
  test(`a script is refused that says ${says}`, async (t) => {
    const { script } = await freshPlace(t);
    await writeFile(script, JSON.stringify([written]));
    throws(() => readScript(script, ["CreateVolume"]), objection);
  });
}

test("a script is read as it was written, and one that is not there says nothing", async (t) => {
  const { script } = await freshPlace(t);
  deepEqual(readScript(script, []), []);
  writeScript(script, [line]);
  deepEqual(readScript(script, ["CreateVolume"]), [line]);
});

test("a driver does not start with a script it cannot play", async (t) => {
  const place = await freshPlace(t);
  place.play([{ ...line, method: "MakeCoffee" }]);
  await rejects(startCsiDriver(place), /no method MakeCoffee/);
});
