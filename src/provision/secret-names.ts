import { isNamespaceName, isObjectName, reservedPrefix } from "./names.ts";
import { fine, type Judged, refused, type SecretPlace } from "./order.ts";

/** What a Secret of a class can be for. */
export const secretUses = [
  "provisioner",
  "controller-publish",
  "node-stage",
  "node-publish",
  "controller-expand",
  "node-expand",
  "controller-modify",
] as const;
export type SecretUse = (typeof secretUses)[number];

interface Keys {
  readonly name: string;
  readonly namespace: string;
}

const reserved = (stem: string): Keys => ({
  name: `${reservedPrefix}${stem}-name`,
  namespace: `${reservedPrefix}${stem}-namespace`,
});
const old = (stem: string): Keys => ({ name: `csi${stem}SecretName`, namespace: `csi${stem}SecretNamespace` });

/** Of all uses that name no Secret of their own. */
const fallback = reserved("secret");
const keysOf = (use: SecretUse) => reserved(`${use}-secret`);

/** From before there was a reserved prefix. Drivers still get them among their parameters. */
const oldKeys: Readonly<Partial<Record<SecretUse, Keys>>> = {
  provisioner: old("Provisioner"),
  "controller-publish": old("ControllerPublish"),
  "node-stage": old("NodeStage"),
  "node-publish": old("NodePublish"),
};

export const secretKeys: readonly string[] = [fallback, ...secretUses.map(keysOf)].flatMap(both);
/** Each of the old keys with the one that replaces it. */
export const replacedSecretKeys: ReadonlyMap<string, string> = new Map(
  secretUses.flatMap((use) => {
    const [before, now] = [oldKeys[use], keysOf(use)];
    return before === undefined ? [] : [[before.name, now.name] as const, [before.namespace, now.namespace] as const];
  }),
);

function both({ name, namespace }: Keys): readonly string[] {
  return [name, namespace];
}

export interface SecretInputs {
  readonly parameters: Readonly<Record<string, string>>;
  readonly volumeName: string;
  readonly claim: {
    readonly namespace: string;
    readonly name: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
}

export type Secrets = Readonly<Partial<Record<SecretUse, SecretPlace>>>;

/** Which Secrets the class means for this claim. None of them is read here. */
export function secretsOf(inputs: SecretInputs): Judged<Secrets> {
  const found = new Map<SecretUse, SecretPlace>();
  for (const use of secretUses) {
    const secret = secretFor(use, inputs);
    if (secret.is === "refused") return secret;
    if (secret.value !== undefined) found.set(use, secret.value);
  }
  return fine(Object.fromEntries(found));
}

export function secretFor(use: SecretUse, inputs: SecretInputs): Judged<SecretPlace | undefined> {
  const own = templatesIn(inputs.parameters, keysOf(use), oldKeys[use]);
  const templates = own.is === "fine" && own.value === undefined ? templatesIn(inputs.parameters, fallback) : own;
  if (templates.is === "refused" || templates.value === undefined) return templates;
  return placeFor(templates.value, inputs);
}

function templatesIn(
  parameters: Readonly<Record<string, string>>,
  keys: Keys,
  older?: Keys,
): Judged<SecretPlace | undefined> {
  const [name, ...twiceName] = valuesOf(parameters, keys.name, older?.name);
  const [namespace, ...twiceNamespace] = valuesOf(parameters, keys.namespace, older?.namespace);
  if (twiceName.length + twiceNamespace.length > 0)
    return refused(
      `the class names one secret by two keys, an old one and "${keys.name}" or "${keys.namespace}": take the old one out`,
    );
  if (name === undefined && namespace === undefined) return fine(undefined);
  if (name === undefined || namespace === undefined)
    return refused(`the class gives only half of a secret: set both "${keys.name}" and "${keys.namespace}"`);
  if (name === "" || namespace === "")
    return refused(`the class leaves "${keys.name}" or "${keys.namespace}" empty: set both, or take both out`);
  return fine({ name, namespace });
}

function valuesOf(parameters: Readonly<Record<string, string>>, ...keys: readonly (string | undefined)[]) {
  return keys.flatMap((key) => (key === undefined ? [] : (parameters[key] ?? [])));
}

/** A claim's owner chooses its name and annotations. They may decide about the Secret, but never about its namespace. */
function placeFor(templates: SecretPlace, { volumeName, claim }: SecretInputs): Judged<SecretPlace> {
  const settled = [
    ["pv.name", volumeName],
    ["pvc.namespace", claim.namespace],
  ] as const;
  const annotations = Object.entries(claim.annotations ?? {});
  const chosen = [
    ["pvc.name", claim.name],
    ...annotations.map(([key, value]) => [`pvc.annotations['${key}']`, value] as const),
  ] as const;
  const namespace = filled(templates.namespace, new Map(settled), "namespace", isNamespaceName);
  if (namespace.is === "refused") return namespace;
  const name = filled(templates.name, new Map([...chosen, ...settled]), "name", isObjectName);
  if (name.is === "refused") return name;
  return fine({ name: name.value, namespace: namespace.value });
}

const token = /\$(?:\{([^}]*)\})?/g;

function filled(
  template: string,
  values: ReadonlyMap<string, string>,
  what: "name" | "namespace",
  isName: (text: string) => boolean,
): Judged<string> {
  const unknown = [...template.matchAll(token)].filter(([, word]) => word === undefined || !values.has(word));
  if (unknown.length > 0) {
    const words = unknown.map(([whole]) => `"${whole}"`).join(", ");
    return refused(
      `the class's template "${template}" of a secret's ${what} has tokens that mean nothing for this claim: ${words}; correct the class, or set the annotation that it asks for`,
    );
  }
  const text = template.replaceAll(token, (_, word: string) => values.get(word) ?? "");
  if (isName(text)) return fine(text);
  const became = text === template ? "is" : `becomes "${text}", which is`;
  return refused(`the class's "${template}" ${became} not a valid ${what} of a secret: correct the class`);
}
