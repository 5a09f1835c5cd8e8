import { misuse } from "../../api/failure.ts";
import { namespaceOf } from "../kubectl/names.ts";

export const bulkFlags = {
  selector: {
    says: "all that have these labels, or none of them; then only the other namespace is named",
    value: "SELECTOR",
    short: "l",
    ofKubectl: true,
  },
} as const;

/** With -l nothing but the other namespace is named. */
export function otherNamespace(positionals: readonly string[], what: string): string {
  const [namespace, ...more] = positionals;
  if (namespace === undefined || more.length > 0)
    throw misuse(`with -l, ${what} is named and nothing else`, `Write the namespace alone: ${what}.`);
  return namespaceOf(namespace, what);
}
