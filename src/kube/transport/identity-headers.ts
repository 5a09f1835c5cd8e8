import { defined } from "../../api/defined.ts";
import type { Credentials, Target } from "../config/target.ts";

/** As whom a request speaks. */
export function impersonation({ impersonate }: Target): Record<string, string | readonly string[]> {
  if (impersonate === undefined) return {};
  const extra = Object.entries(impersonate.extra ?? {}).map(([key, values]) => [
    `impersonate-extra-${encodeURIComponent(key.toLowerCase())}`,
    values,
  ]);
  return {
    "impersonate-user": impersonate.user,
    ...defined({ "impersonate-group": impersonate.groups, "impersonate-uid": impersonate.uid }),
    ...(Object.fromEntries(extra) as Record<string, readonly string[]>),
  };
}

export function authorization({ token, basic }: Credentials): Record<string, string> {
  if (token !== undefined) return { authorization: `Bearer ${token}` };
  if (basic !== undefined)
    return { authorization: `Basic ${Buffer.from(`${basic.user}:${basic.password}`).toString("base64")}` };
  return {};
}
