import { type AdmissionRequest, review } from "./review.ts";

const apiVersion = "admission.k8s.io/v1";

/** Not a question that we understand. It is answered with 400, and the server refuses the write that it asks about. */
export class Unreadable extends Error {
  override readonly name = "Unreadable";
}

/** From the text of an AdmissionReview to the text of its answer. */
export function answerTo(text: string): string {
  const request = requestIn(text);
  const { allowed, patch } = review(request);
  const response = {
    uid: request.uid,
    allowed,
    ...(patch.length === 0
      ? {}
      : { patchType: "JSONPatch", patch: Buffer.from(JSON.stringify(patch)).toString("base64") }),
  };
  return JSON.stringify({ apiVersion, kind: "AdmissionReview", response });
}

function requestIn(text: string): AdmissionRequest {
  const asked = parsed(text);
  if (asked?.apiVersion !== apiVersion) throw new Unreadable(`this is no AdmissionReview of ${apiVersion}`);
  const { uid, operation, resource } = asked.request ?? {};
  if (typeof uid !== "string" || typeof operation !== "string" || typeof resource?.resource !== "string")
    throw new Unreadable("the AdmissionReview asks about nothing");
  return asked.request as AdmissionRequest;
}

interface Asked {
  readonly apiVersion?: unknown;
  readonly request?: Partial<AdmissionRequest> | null;
}

function parsed(text: string): Asked | null {
  try {
    return JSON.parse(text) as Asked | null;
  } catch {
    throw new Unreadable("this is no JSON");
  }
}
