import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { test } from "node:test";
import type { StoreRequest } from "../s3/request.ts";
import { element, elements, escaped, textOf } from "../s3/xml.ts";
import { purge } from "./purge.ts";

const running = new AbortController().signal;
const page = 1000;

/** A bucket of a store that pages, in memory: what a real one answers is in `test/buckets`. */
function bucketOf(keys: readonly string[], locked: readonly string[] = []) {
  let left = [...keys];
  const asked: string[] = [];
  const ask = async ({ method, query = {}, body = "" }: StoreRequest): Promise<string> => {
    asked.push(`${method} ${Object.keys(query)[0]}`);
    if ("uploads" in query) return "<R/>";
    if (method === "GET")
      return element("R", ...left.slice(0, page).map((key) => element("Version", element("Key", escaped(key)))));
    const wanted = elements(body, "Object").map((one) => textOf(one, "Key") ?? "");
    const refused = wanted.filter((key) => locked.includes(key));
    left = left.filter((key) => !wanted.includes(key) || refused.includes(key));
    const errors = refused.map((key) => [element("Key", escaped(key)), element("Code", "AccessDenied")]);
    return element("R", ...errors.map((one) => element("Error", ...one)));
  };
  return { ask, asked, left: () => left };
}

test("all pages are deleted, and the last look finds none", async () => {
  const bucket = bucketOf(Array.from({ length: 2 * page + 1 }, (_, index) => `key & ${index}`));
  await purge(bucket.ask, "photos", running);
  deepEqual(bucket.left(), []);
  equal(bucket.asked.filter((one) => one === "POST delete").length, 3);
  equal(bucket.asked.at(-1), "GET versions");
});

test("unfinished uploads are given up, each by its key and its id", async () => {
  let uploads = ["one", "two"].map((id) => ({ key: "a & b", id }));
  const ask = async ({ method, key, query = {} }: StoreRequest) => {
    if (method === "DELETE") uploads = uploads.filter((one) => one.key !== key || one.id !== query["uploadId"]);
    if (!("uploads" in query)) return "<R/>";
    const listed = uploads.map(({ key, id }) => [element("Key", escaped(key)), element("UploadId", id)]);
    return element("R", ...listed.map((one) => element("Upload", ...one)));
  };
  await purge(ask, "photos", running);
  deepEqual(uploads, []);
});

test("an object that the store keeps ends the purge with its name, and the others are gone", async () => {
  const bucket = bucketOf(["a", "locked", "z"], ["locked"]);
  await rejects(purge(bucket.ask, "photos", running), {
    code: "FAILED_PRECONDITION",
    message: /1 objects cannot be deleted, for instance "locked": AccessDenied/,
  });
  deepEqual(bucket.left(), ["locked"]);
});

test("a store that says that it deletes and does not is found out at the second look", async () => {
  const list = element("R", element("Version", element("Key", "a")));
  let deletes = 0;
  const ask = async ({ method, query = {} }: StoreRequest) => {
    if ("uploads" in query) return "<R/>";
    if (method === "POST") deletes += 1;
    return method === "GET" ? list : "<R/>";
  };
  await rejects(purge(ask, "photos", running), /they are still there after they were deleted/);
  equal(deletes, 1);
});

test("a purge that is given up takes nothing more", async () => {
  const bucket = bucketOf(["a", "b"]);
  const gone = new AbortController();
  gone.abort(new Error("the caller is gone"));
  await rejects(purge(bucket.ask, "photos", gone.signal), /the caller is gone/);
  deepEqual(bucket.left(), ["a", "b"]);
  ok(!bucket.asked.includes("POST delete"));
});
