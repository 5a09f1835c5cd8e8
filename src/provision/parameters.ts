import { fsTypeKey, metadataKeys, reservedPrefix } from "./names.ts";
import { fine, type Judged, refused } from "./order.ts";
import { replacedSecretKeys, secretKeys } from "./secret-names.ts";

type Parameters = Readonly<Record<string, string>>;

const knownKeys: ReadonlySet<string> = new Set([fsTypeKey, ...secretKeys]);

const isBareFsType = (key: string) => key.toLowerCase() === "fstype";

/** The file system to put on a volume; empty leaves it to the driver. */
export function fsTypeOf(parameters: Parameters, defaultFsType: string): Judged<string> {
  const keys = Object.keys(parameters).filter((key) => key === fsTypeKey || isBareFsType(key));
  if (keys.length > 1)
    return refused(
      `the class gives the fstype more than once, by ${keys.map((key) => `"${key}"`).join(" and ")}: keep "${fsTypeKey}" alone`,
    );
  const [key] = keys;
  return fine((key === undefined ? undefined : parameters[key]) || defaultFsType);
}

/** What of a class's parameters is the driver's. A typing error in the reserved part must not pass for a wish that was granted. */
export function driverParametersOf(parameters: Parameters): Judged<Parameters> {
  const entries = Object.entries(parameters);
  const unknown = entries.find(([key]) => key.startsWith(reservedPrefix) && !knownKeys.has(key));
  if (unknown !== undefined)
    return refused(
      `the class has the unknown parameter key "${unknown[0]}" in the reserved namespace ${reservedPrefix}: correct it or take it out`,
    );
  return fine(Object.fromEntries(entries.filter(([key]) => !key.startsWith(reservedPrefix))));
}

/** What `--extra-create-metadata` adds to them. */
export function metadataFor(
  claim: { readonly namespace: string; readonly name: string },
  volumeName: string,
): Parameters {
  return {
    [metadataKeys.claimName]: claim.name,
    [metadataKeys.claimNamespace]: claim.namespace,
    [metadataKeys.volumeName]: volumeName,
  };
}

/** One sentence for each key of a class that still works and should be replaced. */
export function deprecatedIn(parameters: Parameters): readonly string[] {
  return Object.keys(parameters).flatMap((key) => {
    const instead = isBareFsType(key) ? fsTypeKey : replacedSecretKeys.get(key);
    return instead === undefined ? [] : [`the parameter "${key}" is deprecated: use "${instead}"`];
  });
}
