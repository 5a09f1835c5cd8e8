import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { withSection } from "./profile.ts";

const section = { heading: "profile photos", values: { region: "eu-1", endpoint_url: "http://s" } };
const ours = "[profile photos]\n# kubectl portway: the Bucket uid-1\nregion = eu-1\nendpoint_url = http://s\n";
const written = (text: string, uid = "uid-1") => withSection(text, section, uid);

const files: readonly (readonly [says: string, before: string, after: string])[] = [
  ["an empty file", "", ours],
  ["a file of others", "[default]\nregion = x\n", `[default]\nregion = x\n\n${ours}`],
  ["a file without an end of its last line", "[default]\nregion = x", `[default]\nregion = x\n\n${ours}`],
  ["a file that ends with a blank line", "[default]\nregion = x\n\n", `[default]\nregion = x\n\n${ours}`],
  ["a comment and nothing else", "# mine\n", `# mine\n\n${ours}`],
  ["the same once more", ours, ours],
  [
    "one of ours between others",
    `# top\n[a]\nb = c\n\n${ours}\n[z]\ns3 =\n  max = 1\n`,
    `# top\n[a]\nb = c\n\n${ours}\n[z]\ns3 =\n  max = 1\n`,
  ],
];

for (const [says, before, after] of files) {
  test(`a profile is written into ${says}`, () => {
    deepEqual(written(before), { text: after, lost: [] });
    equal(written(after).text, after, "and once more changes nothing");
  });
}

test("what others keep under other headings stays to the letter, with its odd endings", () => {
  const others = "\r\n[a]\r\n x=1\r\n;note\r\n[profile photos2]\nregion = no\n";
  const { text } = written(others);
  equal(text.startsWith(others), true);
});

const foreign: readonly (readonly [says: string, before: string, lost: readonly string[]])[] = [
  ["by somebody else", "[profile photos]\nregion = x\nrole_arn = y\n", ["region", "role_arn"]],
  ["with other blanks and quotes", '[ profile  "photos" ]\nregion=x\n', ["region"]],
  ["twice", "[profile photos]\na = 1\n[b]\n[profile photos]\nc = 2\n", ["a", "c"]],
  ["for a Bucket that is another one by now", ours.replace("uid-1", "uid-0"), ["region", "endpoint_url"]],
  ["by us, and somebody has added to it", `${ours}output = json\n`, ["output"]],
];

for (const [says, before, lost] of foreign) {
  test(`a profile that was written ${says} is told to be lost`, () => {
    const { text, lost: told } = written(before);
    deepEqual(told, lost);
    equal(text.match(/photos/g)?.length, 1, text);
    deepEqual(written(text), { text, lost: [] });
  });
}
