import { isatty } from "node:tty";
import { defined } from "../../api/defined.ts";
import { Failure } from "../../api/failure.ts";
import { type Changing, changing } from "./changing.ts";
import type { Environment } from "./environment.ts";
import type { ExecCluster } from "./exec-info.ts";
import { execPlugin } from "./exec-plugin.ts";
import { execSpec } from "./exec-spec.ts";
import { type KeyPair, keyPair } from "./key-pair.ts";
import type { User } from "./kubeconfig.ts";
import type { Source } from "./source.ts";
import type { CredentialSource, Credentials } from "./target.ts";

export const anonymous: CredentialSource = { current: async () => ({}), forget: () => false };

const execTimeoutSeconds = 60;

/** As client-go orders it: an exec plugin is asked only when the user has no other credentials. */
export function credentialsOf(user: User, env: Environment, cluster: ExecCluster): CredentialSource {
  refuseAuthProvider(user);
  const basic = basicOf(user);
  const pair = keyPairOf(user);
  if (user.token !== undefined || basic !== undefined || pair !== undefined)
    return written({ token: user.token && bearerToken(user.token), basic, pair });
  if (user.exec === undefined) return anonymous;
  const around = { env, cluster, hasTerminal: isatty(0), timeoutSeconds: execTimeoutSeconds };
  return execPlugin(execSpec(user.exec), around);
}

/** A token is a line; editors and `echo` put an end to it. */
export function bearerToken(source: Source): Changing<string> {
  return changing([source], ([text = ""]) => {
    const token = text.trim();
    if (token !== "") return token;
    throw new Failure(`${source.what} is empty`, "Log in again, or wait for it to be renewed.");
  });
}

export function written(parts: {
  readonly token?: Changing<string> | undefined;
  readonly basic?: Credentials["basic"] | undefined;
  readonly pair?: Changing<KeyPair> | undefined;
}): CredentialSource {
  return {
    async current() {
      const [token, clientCertificate] = await Promise.all([parts.token?.current(), parts.pair?.current()]);
      return defined({ token, basic: parts.basic, clientCertificate });
    },
    forget() {
      const again = [parts.token?.forget(), parts.pair?.forget()];
      return again.includes(true);
    },
  };
}

function refuseAuthProvider({ place, authProvider }: User): void {
  if (authProvider === undefined) return;
  // client-go has kept one of them; all the others answer an error there.
  const whose = authProvider === "oidc" ? "not supported by Portway" : "no longer supported by Kubernetes";
  throw new Failure(
    `the auth-provider "${authProvider}" of ${place} is ${whose}`,
    "Use an exec credential plugin: most providers have one, and their login command writes it into the kubeconfig.",
  );
}

function basicOf({ place, username, password, token }: User): Credentials["basic"] {
  if (username === undefined && password === undefined) return undefined;
  if (token !== undefined) throw new Failure(`${place} has both a token and a password`, "Remove one of them.");
  return { user: username ?? "", password: password ?? "" };
}

function keyPairOf({ place, certificate, key }: User): Changing<KeyPair> | undefined {
  if (certificate === undefined) return undefined;
  if (key === undefined) throw new Failure(`${place} has a client certificate without a key`, "Add client-key.");
  return changing([certificate, key], ([certificatePem = "", keyPem = ""]) => keyPair(certificatePem, keyPem, place));
}
