import { misuse } from "../../api/failure.ts";
import { type Bucket, buckets } from "../../api/gen/cosi.ts";
import { apiVersionOf } from "../../api/object.ts";
import type { FlagValues } from "../command.ts";
import { nameOf, type Place } from "../kubectl/names.ts";

export const orderFlags = {
  class: {
    says: "what it is made of; there is no class by default",
    value: "NAME",
    completes: "bucket class",
  },
  secret: { says: "the Secret that gets the keys; NAME-keys when not given", value: "NAME" },
  prefix: { says: "what the name of a new bucket in the store begins with", value: "TEXT" },
} as const;

type Values = FlagValues<typeof orderFlags>;

export function bucketOf({ class: className, secret, prefix }: Values, { namespace, name }: Place): Bucket {
  if (className === undefined)
    throw misuse("--class is missing", "Write the name of a class; these are there: kubectl get bucketclasses.");
  return {
    apiVersion: apiVersionOf(buckets),
    kind: buckets.kind,
    metadata: { namespace, name },
    spec: {
      bucketClassName: nameOf(className, "--class"),
      secretName: nameOf(secret ?? `${name}-keys`, "--secret"),
      ...(prefix === undefined ? {} : { bucketPrefix: prefixOf(prefix) }),
    },
  };
}

/** As the server would say it, before it is asked. */
function prefixOf(text: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9.-]*$/.test(text) && !text.includes("..") && text.length <= 253) return text;
  throw misuse(
    `no bucket can have a name that begins with "${text}"`,
    "Write letters, digits, dashes and single dots in --prefix, and begin with a letter or a digit.",
  );
}
