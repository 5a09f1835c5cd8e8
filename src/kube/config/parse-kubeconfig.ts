import { dirname, resolve } from "node:path";
import { CORE_SCHEMA, load, mergeTag, YAMLException } from "js-yaml";
import { Failure } from "../../api/failure.ts";
import { Fields } from "./fields.ts";
import type { Cluster, Context, ExecWords, Kubeconfig, User } from "./kubeconfig.ts";
import type { Source } from "./source.ts";

/** Only the entries that are used need to make sense together; each must be of the right form. */
export function parseKubeconfig(file: string, text: string): Kubeconfig {
  const fields = Fields.of(yamlIn(file, text), `kubeconfig ${file}`, `Correct ${file}, or choose another kubeconfig.`);
  const kind = fields.text("kind") ?? "Config";
  if (kind !== "Config") throw new Failure(`${file} holds a ${kind} and no kubeconfig`, "Choose another kubeconfig.");
  const directory = dirname(resolve(file));
  return {
    files: [file],
    currentContext: fields.text("current-context"),
    contexts: named(fields, file, "context", contextOf),
    clusters: named(fields, file, "cluster", (cluster) => clusterOf(cluster, directory)),
    users: named(fields, file, "user", (user) => userOf(user, directory)),
  };
}

/** Never quotes the parser: its sentences and its snippets hold pieces of the file, and those may be secrets. */
function yamlIn(file: string, text: string): unknown {
  if (text.trim() === "")
    throw new Failure(`kubeconfig ${file} is empty`, "Fill it, remove it, or choose another kubeconfig.");
  try {
    return load(text, { schema: CORE_SCHEMA.withTags(mergeTag) });
  } catch (problem) {
    const mark = problem instanceof YAMLException ? problem.mark : undefined;
    const where = mark === undefined ? "" : ` (line ${mark.line + 1}, column ${mark.column + 1})`;
    throw new Failure(`kubeconfig ${file} is not one YAML document${where}`, `Correct ${file}.`);
  }
}

function named<T>(
  config: Fields,
  file: string,
  noun: "context" | "cluster" | "user",
  read: (fields: Fields) => T,
): ReadonlyMap<string, T> {
  const found = new Map<string, T>();
  for (const entry of config.mappings(`${noun}s`)) {
    const name = entry.text("name");
    if (name === undefined) throw new Failure(`${entry.place} has no name`, entry.next);
    const place = `${noun} "${name}" in ${file}`;
    if (found.has(name)) throw new Failure(`there are two entries for ${place}`, "Remove one of them.");
    found.set(name, read(entry.mapping(noun, place) ?? Fields.of({}, place, entry.next)));
  }
  return found;
}

function contextOf(context: Fields): Context {
  return { cluster: context.text("cluster"), user: context.text("user"), namespace: context.text("namespace") };
}

function clusterOf(cluster: Fields, directory: string): Cluster {
  const forExec = cluster.mappings("extensions").find((e) => e.text("name") === "client.authentication.k8s.io/exec");
  return {
    place: cluster.place,
    server: cluster.text("server"),
    ca: sourceOf(cluster, "certificate-authority", directory),
    serverName: cluster.text("tls-server-name"),
    skipVerify: cluster.flag("insecure-skip-tls-verify"),
    proxyUrl: cluster.text("proxy-url"),
    execConfig: forExec?.anything("extension"),
  };
}

function userOf(user: Fields, directory: string): User {
  const exec = user.mapping("exec", `the exec plugin of ${user.place}`);
  const authProvider = user.mapping("auth-provider", `the auth-provider of ${user.place}`);
  return {
    place: user.place,
    token: tokenOf(user, directory),
    username: user.text("username"),
    password: user.text("password"),
    certificate: sourceOf(user, "client-certificate", directory),
    key: sourceOf(user, "client-key", directory),
    authProvider: authProvider && (authProvider.text("name") ?? ""),
    exec: exec && execOf(exec, directory),
    as: {
      user: user.text("as"),
      groups: user.texts("as-groups"),
      uid: user.text("as-uid"),
      extra: user.textsByName("as-user-extra"),
    },
  };
}

/** The file wins over the text beside it: it is the one that is renewed. */
function tokenOf(user: Fields, directory: string): Source | undefined {
  const what = `the token of ${user.place}`;
  const path = user.text("tokenFile");
  if (path !== undefined) return { what, path: resolve(directory, path) };
  const text = user.text("token");
  return text === undefined ? undefined : { what, text };
}

/** The data wins over the file, as the fields are documented. */
function sourceOf(fields: Fields, name: string, directory: string): Source | undefined {
  const what = `${name} of ${fields.place}`;
  const data = fields.text(`${name}-data`);
  if (data !== undefined) return { what, text: decoded(data, `${name}-data of ${fields.place}`) };
  const path = fields.text(name);
  return path === undefined ? undefined : { what, path: resolve(directory, path) };
}

function decoded(data: string, what: string): string {
  const base64 = data.replaceAll(/\s/g, "");
  if (base64.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(base64))
    return Buffer.from(base64, "base64").toString("utf8");
  throw new Failure(`${what} is not base64`, "Encode it again, for example with base64 -w0, or name a file instead.");
}

function execOf(exec: Fields, directory: string): ExecWords {
  const command = exec.text("command");
  return {
    place: exec.place,
    apiVersion: exec.text("apiVersion"),
    command: command?.includes("/") ? resolve(directory, command) : command,
    args: exec.texts("args"),
    env: Object.fromEntries(exec.mappings("env").map(variableOf)),
    installHint: exec.text("installHint"),
    provideClusterInfo: exec.flag("provideClusterInfo"),
    interactiveMode: exec.text("interactiveMode"),
  };
}

function variableOf(variable: Fields): readonly [name: string, value: string] {
  const name = variable.text("name");
  if (name === undefined) throw new Failure(`${variable.place} has no name`, variable.next);
  return [name, variable.text("value") ?? ""];
}
