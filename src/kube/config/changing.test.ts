import { equal, rejects } from "node:assert/strict";
import { rename, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { failure, secret, temporaryDirectory } from "../../../test/fixture/configuration.ts";
import { Failure } from "../../api/failure.ts";
import { changing } from "./changing.ts";

const directory = await temporaryDirectory();

/** A file with this text, and a reading of it that counts how often it is understood anew. */
async function watched(name: string, text: string) {
  const path = join(directory, name);
  await writeFile(path, text);
  const counted = { reads: 0 };
  const source = changing([{ what: "the file", path }], ([text = ""]) => {
    counted.reads++;
    if (text === "bad") throw new Failure("it is bad", "Write something good.");
    return text;
  });
  return { path, source, counted };
}

test("a file is read once as long as it does not change", async () => {
  const { source, counted } = await watched("once", "one");
  equal(await source.current(), "one");
  equal(await source.current(), "one");
  equal(counted.reads, 1);
});

test("a file that is longer is read again, even with the same time", async () => {
  const { path, source } = await watched("longer", "one");
  await utimes(path, 1_000_000_000, 1_000_000_000);
  equal(await source.current(), "one");
  await writeFile(path, "three");
  await utimes(path, 1_000_000_000, 1_000_000_000);
  equal(await source.current(), "three");
});

test("a file of the same length with a later time is read again", async () => {
  const { path, source } = await watched("later", "one");
  equal(await source.current(), "one");
  await writeFile(path, "two");
  await utimes(path, 4_000_000_000, 4_000_000_000);
  equal(await source.current(), "two");
});

test("a file that another one replaces is read again, even with the same length and time", async () => {
  const { path, source } = await watched("replaced", "one");
  await utimes(path, 1_000_000_000, 1_000_000_000);
  equal(await source.current(), "one");
  await writeFile(`${path}.new`, "two");
  await utimes(`${path}.new`, 1_000_000_000, 1_000_000_000);
  await rename(`${path}.new`, path);
  equal(await source.current(), "two");
});

test("the last good text serves while the file is gone or half written, and no longer", async () => {
  const { path, source } = await watched("gone", "one");
  equal(await source.current(), "one");
  await rm(path);
  equal(await source.current(), "one");
  await writeFile(path, "bad");
  equal(await source.current(), "one");
  await writeFile(path, "fine");
  equal(await source.current(), "fine");
});

test("after forgetting, only a good text serves", async () => {
  const { path, source } = await watched("forgotten", "one");
  equal(await source.current(), "one");
  await rm(path);
  equal(source.forget(), true);
  await rejects(source.current(), failure(/the file cannot be read: .*forgotten does not exist/));
});

test("a bug in the meaning is not taken for a file in the middle of a change", async () => {
  const path = join(directory, "bug");
  await writeFile(path, "one");
  const source = changing([{ what: "the file", path }], ([text = ""]) => {
    if (text === "three") throw new TypeError("a bug");
    return text;
  });
  await source.current();
  await writeFile(path, "three");
  await rejects(source.current(), TypeError);
});

test("a directory is no file", async () => {
  const source = changing([{ what: "the token", path: directory }], ([text]) => text);
  await rejects(source.current(), failure(/the token cannot be read: .* is a directory/));
});

test("a text that the kubeconfig holds itself never changes", async () => {
  const source = changing([{ what: "the token", text: secret }], ([text]) => text);
  equal(await source.current(), secret);
  equal(source.forget(), false);
  equal(await source.current(), secret);
});
