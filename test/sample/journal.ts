/** The intent record on the volume: written before the deed is burnt, so that a restart knows what was meant. */
export interface Journal {
  readonly v: 1;
  readonly claimUid: string;
  readonly deedUid: string;
  readonly deedName: string;
  readonly text: string;
  readonly done?: true;
}

export const journalMark = "sample.portway.dev/journal";
export const deedMark = "sample.portway.dev/deed";
export const deedLabel = "sample.portway.dev/deed-of";
export const holdFinalizer = "sample.portway.dev/hold";

export function journalIn(annotations: Readonly<Record<string, string>> | undefined): Journal | undefined {
  const text = annotations?.[journalMark];
  return text === undefined ? undefined : (JSON.parse(text) as Journal);
}
