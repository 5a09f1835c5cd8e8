import { isObjectName } from "./names.ts";
import { fine, type Judged, refused } from "./order.ts";

export interface VolumeNaming {
  readonly volumeNamePrefix: string;
  /** How many characters of the claim's uid, its dashes left out; -1 for all of it as it is. */
  readonly volumeNameUuidLength: number;
}

/**
 * Every try for one claim has the same name, which is how the driver knows it again. It is checked here because a name that the
 * server does not take would be found out only when the volume is there.
 */
export function volumeNameOf(
  { volumeNamePrefix, volumeNameUuidLength: length }: VolumeNaming,
  uid: string,
): Judged<string> {
  if (length !== -1 && !(Number.isInteger(length) && length > 0))
    return refused(
      `volumes cannot be named by ${length} characters of a claim's uid: set --volume-name-uuid-length to -1 or to more than 0`,
    );
  const ending = length === -1 ? uid : uid.replaceAll("-", "").slice(0, length);
  const name = `${volumeNamePrefix}-${ending}`;
  if (isObjectName(name)) return fine(name);
  return refused(
    `"${name}" cannot name a volume: set --volume-name-prefix to lower-case letters, digits and dashes that begin with a letter or a digit`,
  );
}
