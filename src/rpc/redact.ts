import { type DescField, type DescMessage, getOption, type Message } from "@bufbuild/protobuf";
import { type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import { cosi_secret } from "./gen/cosi_pb.js";
import { csi_secret } from "./gen/csi_pb.js";

export type Loggable = string | number | boolean | readonly Loggable[] | { readonly [name: string]: Loggable };

export const stripped = "***stripped***";
const longestText = 1024;

/** The message for a log: no field that its proto file marks as a secret, no endless text, and never an error. */
export function loggable(schema: DescMessage, message: Message): Loggable {
  return object(reflect(schema, message));
}

/** Every text in the fields that are marked as secrets. */
export function secretsIn(schema: DescMessage, message: Message): readonly string[] {
  return secrets(reflect(schema, message), false);
}

/** Drivers quote what they were sent; whoever reads events or logs must not learn a secret from it. */
export function withoutSecrets(text: string, known: readonly string[]): string {
  const longestFirst = known.filter((secret) => secret !== "").toSorted((one, other) => other.length - one.length);
  return longestFirst.reduce((rest, secret) => rest.replaceAll(secret, stripped), text);
}

function isSecret(field: DescField): boolean {
  return getOption(field, csi_secret) || getOption(field, cosi_secret);
}

function object(message: ReflectMessage): Loggable {
  const set = message.fields.filter((field) => message.isSet(field));
  return Object.fromEntries(
    set.map((field) => [field.localName, isSecret(field) ? stripped : valueOf(field, message)]),
  );
}

function valueOf(field: DescField, message: ReflectMessage): Loggable {
  const values = elements(field, message).map(([key, value]) => [key, plain(field, value)] as const);
  if (field.fieldKind === "list") return values.map(([, value]) => value);
  if (field.fieldKind === "map") return Object.fromEntries(values);
  return values[0]?.[1] ?? "";
}

/** A list has many elements, a map has them by key, everything else has one. */
function elements(field: DescField, message: ReflectMessage): readonly (readonly [key: string, value: unknown])[] {
  if (field.fieldKind === "list") return [...message.get(field)].map((value, index) => [String(index), value]);
  if (field.fieldKind === "map") return [...message.get(field)].map(([key, value]) => [String(key), value]);
  return [["", message.get(field)]];
}

function plain(field: DescField, value: unknown): Loggable {
  if (isReflected(value)) return object(value);
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  if (typeof value === "number" && field.enum !== undefined) return field.enum.value[value]?.name ?? value;
  if (typeof value === "number" || typeof value === "boolean") return value;
  return cut(String(value));
}

function cut(text: string): string {
  return text.length <= longestText ? text : `${text.slice(0, longestText)}… (${text.length} characters)`;
}

function secrets(message: ReflectMessage, all: boolean): readonly string[] {
  const set = message.fields.filter((field) => message.isSet(field));
  return set.flatMap((field) => {
    const marked = all || isSecret(field);
    return elements(field, message).flatMap(([, value]) => {
      if (isReflected(value)) return secrets(value, marked);
      return marked && typeof value === "string" ? [value] : [];
    });
  });
}

function isReflected(value: unknown): value is ReflectMessage {
  return typeof value === "object" && value !== null && "desc" in value && "fields" in value;
}
