import { gunzipSync } from "node:zlib";
import { load } from "js-yaml";

/** What is written there, or undefined when it is neither JSON nor YAML (the built-in controllers speak protobuf). */
export function parsedIn(bytes: Buffer, contentType: string, encoding = "identity"): unknown {
  if (bytes.length === 0 || !/json|yaml/.test(contentType)) return undefined;
  try {
    const text = (encoding === "gzip" ? gunzipSync(bytes) : bytes).toString("utf8");
    return contentType.includes("yaml") ? load(text) : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}
