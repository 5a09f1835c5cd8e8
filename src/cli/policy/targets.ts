import type { StorageTransferPolicySpecTargets } from "../../api/gen/transfer.ts";
import { selectorInWords } from "../kubectl/selector.ts";

export function targetsInWords({ namespaces = [], namespaceSelector }: StorageTransferPolicySpecTargets): string {
  const selected = namespaceSelector === undefined ? undefined : selectorInWords(namespaceSelector);
  const byLabels = selected === "" ? "every namespace" : `namespaces with ${selected}`;
  return [...namespaces, ...(selected === undefined ? [] : [byLabels])].join(", ");
}
