import { deletionSecretAnnotations, provisionedByAnnotation } from "../names.ts";
import type { SecretPlace } from "../order.ts";
import { secretFor } from "../secret-names.ts";
import type { Tools } from "../tools.ts";
import type { Volume } from "../watches.ts";

/** Which Secret the driver needs: by what was written down when the volume was made, else by its class. */
export function deletionSecretOf(volume: Volume, tools: Pick<Tools, "facts" | "watches">): SecretPlace | undefined {
  const { annotations = {} } = volume.metadata;
  // On a volume that somebody else has written, the annotations may name any Secret there is.
  const isOurs = annotations[provisionedByAnnotation] === tools.facts.name;
  const name = annotations[deletionSecretAnnotations.name];
  const namespace = annotations[deletionSecretAnnotations.namespace];
  if (!isOurs || name === undefined || namespace === undefined) return secretByClass(volume, tools);
  return name === "" ? undefined : { name, namespace };
}

function secretByClass({ metadata, spec }: Volume, { watches }: Pick<Tools, "watches">): SecretPlace | undefined {
  const { parameters = {} } = watches.classes.get(spec?.storageClassName ?? "") ?? {};
  const { namespace = "", name = "" } = spec?.claimRef ?? {};
  const judged = secretFor("provisioner", { parameters, volumeName: metadata.name, claim: { namespace, name } });
  return judged.is === "fine" ? judged.value : undefined;
}
