import { Failure } from "../../api/failure.ts";

/**
 * A mapping that a person or a program wrote, read field by field. What is off is named by its place and never by its
 * value, because the value may be a secret. A field that is null or an empty text counts as absent, as in client-go.
 */
export class Fields {
  readonly place: string;
  readonly next: string;
  readonly #values: Readonly<Record<string, unknown>>;

  private constructor(values: Readonly<Record<string, unknown>>, place: string, next: string) {
    this.#values = values;
    this.place = place;
    this.next = next;
  }

  static of(value: unknown, place: string, next: string): Fields {
    if (!isMapping(value)) throw new Failure(`${place} is not a mapping of names to values`, next);
    return new Fields(value, place, next);
  }

  anything(name: string): unknown {
    return this.#values[name] ?? undefined;
  }

  text(name: string): string | undefined {
    const value = this.anything(name);
    if (value === undefined || value === "") return undefined;
    if (typeof value !== "string") throw this.#off(name, "a text; quote it if it looks like something else");
    return value;
  }

  flag(name: string): boolean {
    const value = this.anything(name) ?? false;
    if (typeof value !== "boolean") throw this.#off(name, "true or false");
    return value;
  }

  texts(name: string): readonly string[] {
    const value = this.anything(name) ?? [];
    if (!isTexts(value)) throw this.#off(name, "a list of texts");
    return value;
  }

  textsByName(name: string): Readonly<Record<string, readonly string[]>> {
    const value = this.anything(name) ?? {};
    const entries = isMapping(value) ? Object.entries(value) : [["", undefined] as const];
    return Object.fromEntries(
      entries.map(([key, list]) => {
        if (!isTexts(list)) throw this.#off(name, "a mapping of names to lists of texts");
        return [key, list];
      }),
    );
  }

  mapping(name: string, place: string): Fields | undefined {
    const value = this.anything(name);
    return value === undefined ? undefined : Fields.of(value, place, this.next);
  }

  mappings(name: string): readonly Fields[] {
    const value = this.anything(name) ?? [];
    if (!Array.isArray(value)) throw this.#off(name, "a list");
    return value.map((item, index) => Fields.of(item, `entry ${index + 1} of "${name}" in ${this.place}`, this.next));
  }

  #off(name: string, mustBe: string): Failure {
    return new Failure(`"${name}" of ${this.place} must be ${mustBe}`, this.next);
  }
}

function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
