import { createHash } from "node:crypto";
import type { StoreRequest } from "../s3/request.ts";
import { element, elements, escaped, textOf } from "../s3/xml.ts";
import { Refusal } from "../sdk/refusal.ts";

/** The most that one request of S3 lists, and deletes. */
const page = "1000";

interface Entry {
  readonly key: string;
  readonly version: string | undefined;
}

/** Takes everything out of a bucket, by calls that every S3 store has. Cut off and begun again it goes on where it was. */
export async function purge(
  ask: (request: StoreRequest) => Promise<string>,
  bucket: string,
  signal: AbortSignal,
): Promise<void> {
  await untilNone(
    () => uploadsIn(ask, bucket),
    (uploads) => abortUploads(ask, bucket, uploads),
    signal,
  );
  await untilNone(
    () => versionsIn(ask, bucket),
    (versions) => deleteVersions(ask, bucket, versions),
    signal,
  );
}

/** Always the first page: what was on it is gone the next time. The same page twice would be the same page for ever. */
async function untilNone(
  list: () => Promise<readonly Entry[]>,
  remove: (entries: readonly Entry[]) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  let before = "";
  for (let entries = await list(); entries.length > 0; entries = await list()) {
    signal.throwIfAborted();
    const now = JSON.stringify(entries);
    if (now === before) throw stuck(entries, "they are still there after they were deleted");
    await remove(entries);
    before = now;
  }
}

async function uploadsIn(ask: (request: StoreRequest) => Promise<string>, bucket: string): Promise<readonly Entry[]> {
  const what = `list the unfinished uploads of ${bucket}`;
  const xml = await ask({ what, method: "GET", bucket, query: { uploads: "", "max-uploads": page } });
  return elements(xml, "Upload").map((one) => ({ key: textOf(one, "Key") ?? "", version: textOf(one, "UploadId") }));
}

async function abortUploads(
  ask: (request: StoreRequest) => Promise<string>,
  bucket: string,
  uploads: readonly Entry[],
): Promise<void> {
  for (const { key, version = "" } of uploads) {
    const what = `abort an unfinished upload of ${bucket}`;
    await ask({ what, method: "DELETE", bucket, key, query: { uploadId: version } });
  }
}

async function versionsIn(ask: (request: StoreRequest) => Promise<string>, bucket: string): Promise<readonly Entry[]> {
  const what = `list the objects of ${bucket}`;
  const xml = await ask({ what, method: "GET", bucket, query: { versions: "", "max-keys": page } });
  const found = [...elements(xml, "Version"), ...elements(xml, "DeleteMarker")];
  return found.map((one) => ({ key: textOf(one, "Key") ?? "", version: textOf(one, "VersionId") }));
}

async function deleteVersions(
  ask: (request: StoreRequest) => Promise<string>,
  bucket: string,
  versions: readonly Entry[],
): Promise<void> {
  const body = element("Delete", ...versions.map(objectOf), element("Quiet", "true"));
  const headers = { "content-md5": createHash("md5").update(body).digest("base64") };
  const what = `delete ${versions.length} objects of ${bucket}`;
  const xml = await ask({ what, method: "POST", bucket, query: { delete: "" }, headers, body });
  const refused = elements(xml, "Error");
  const [first] = refused;
  if (first === undefined) return;
  const entries = refused.map((one) => ({ key: textOf(one, "Key") ?? "", version: undefined }));
  throw stuck(entries, [textOf(first, "Code"), textOf(first, "Message")].join(": "));
}

function objectOf({ key, version = "" }: Entry): string {
  return element(
    "Object",
    element("Key", escaped(key)),
    ...(version === "" ? [] : [element("VersionId", escaped(version))]),
  );
}

/** Objects under a lock, above all: they are kept, and a person hears of it. */
function stuck(entries: readonly Entry[], why: string): Refusal {
  const [first] = entries;
  return new Refusal(
    "FAILED_PRECONDITION",
    `${entries.length} objects cannot be deleted, for instance ${JSON.stringify(first?.key)}: ${why}`,
  );
}
