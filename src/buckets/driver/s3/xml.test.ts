import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { element, elements, escaped, textOf } from "./xml.ts";

test("elements of a name are found in their order, empty ones and those with attributes too", () => {
  const xml = '<R xmlns="x"><K>a</K><Keys>no</Keys><K/><K a="1">b</K><K a="1"/><K>\nc\n</K></R>';
  deepEqual(elements(xml, "K"), ["a", "", "b", "", "\nc\n"]);
  deepEqual(elements(xml, "Missing"), []);
  equal(textOf(xml, "Keys"), "no");
  equal(textOf(xml, "Missing"), undefined);
});

test("a text comes back as it was written, whatever signs it has", () => {
  for (const text of ["a & b", "<K>&lt;</K>", "\"'", "tab\tline\nend\r", "日本 🙂", "&amp;amp;", ""])
    equal(textOf(element("R", element("K", escaped(text))), "K"), text);
});

test("numbers and names of signs are read, and an unknown name stays", () => {
  equal(textOf("<K>&#65;&#x1F642;&quot;&apos;&lt;&gt;&amp;&nbsp;</K>", "K"), "A🙂\"'<>&&nbsp;");
});

test("no sign of a text can end its element", () => {
  equal(/[<>"'\n]/.test(escaped("</Key><Key>\n\"'")), false);
});
