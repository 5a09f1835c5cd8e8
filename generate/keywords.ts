const shaping = [
  "$ref",
  "type",
  "format",
  "enum",
  "nullable",
  "items",
  "properties",
  "additionalProperties",
  "required",
];
const explaining = ["description", "title", "default", "example", "externalDocs"];
const bounding = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "pattern"];
const counting = ["minLength", "maxLength", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties"];
/** Beside a type they only narrow it: no schema of the server says in them what a property is. */
const combining = ["allOf", "anyOf", "oneOf", "not"];

const understood = new Set([...shaping, ...explaining, ...bounding, ...counting, ...combining]);

export function isUnderstood(keyword: string): boolean {
  return understood.has(keyword) || keyword.startsWith("x-");
}
