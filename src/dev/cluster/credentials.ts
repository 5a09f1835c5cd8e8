import { generateKeyPairSync, randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import type { Layout } from "./arguments.ts";
import type { Tenant } from "./options.ts";

export interface Identity {
  readonly user: string;
  readonly groups: readonly string[];
  readonly token: string;
}

export const admin = "admin";
const masters = "system:masters";

/** The users every control plane has, and the tenants; the server reads them once, at its start. */
export function identitiesFor(tenants: readonly Tenant[]): readonly Identity[] {
  const users: readonly (readonly [string, readonly string[]])[] = [
    [admin, [masters]],
    ["system:kube-controller-manager", []],
    ["system:kube-scheduler", []],
    ...[...new Set(tenants.map((t) => t.name))].map((name) => [name, []] as const),
  ];
  return users.map(([user, groups]) => ({ user, groups, token: randomBytes(24).toString("base64url") }));
}

/** The server's file format: token, name, uid, "group,group". An empty last column would be a group without a name. */
export function tokenFile(identities: readonly Identity[]): string {
  const lines = identities.map(({ token, user, groups }) => {
    const columns = [token, user, user, ...(groups.length === 0 ? [] : [`"${groups.join(",")}"`])];
    return `${columns.join(",")}\n`;
  });
  return lines.join("");
}

const secret = { mode: 0o600 };

export async function writeCredentials(layout: Layout, identities: readonly Identity[]): Promise<void> {
  const pem = { format: "pem" } as const;
  const { privateKey, publicKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { ...pem, type: "pkcs8" },
    publicKeyEncoding: { ...pem, type: "spki" },
  });
  await writeFile(layout.serviceAccountKey, privateKey, secret);
  await writeFile(layout.serviceAccountPublicKey, publicKey);
  await writeFile(layout.tokens, tokenFile(identities), secret);
}
