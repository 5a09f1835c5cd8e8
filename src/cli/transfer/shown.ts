import { podWatch } from "../../transfer/pod-watch.ts";
import { transferWatches } from "../../transfer/watches.ts";
import { nothingShown, type Shown } from "../explain/shown.ts";
import type { Eyes } from "../kubectl/eyes.ts";

/** The engine's own watches, over what a person was shown. */
export interface ShownTransfers extends Pick<Shown, "show"> {
  readonly watches: ReturnType<typeof transferWatches>;
  readonly pods: ReturnType<typeof podWatch>;
}

export function noTransferShown(eyes: Eyes): ShownTransfers {
  const shown = nothingShown(eyes);
  const { sources } = shown;
  return { ...shown, watches: transferWatches(sources), pods: podWatch(sources, () => undefined) };
}
