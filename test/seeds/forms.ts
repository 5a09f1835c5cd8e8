/** The blocks of seed 002 are forms: a number in brackets stands where a value is to be filled in, and notes explain it. */

/** By the path of a field, as `secretRef/name`: the YAML that somebody writes there. */
export type Entries = Readonly<Record<string, string>>;

interface Line {
  readonly path: string;
  readonly indent: string;
  readonly key: string;
}

const field = /^(\s*)([\w./-]+):/;
const note = /\s*\[\d+\]\s*$/;

/** The same lines in the same order with these values; what nobody fills in stays empty. */
export function filledIn(form: string, entries: Entries): string {
  const lines = linesOf(form);
  return form
    .split("\n")
    .map((text, at) => {
      const { path, indent, key } = lines[at] ?? { path: "", indent: "", key: "" };
      if (path === "") return text.replace(note, "");
      const isAsked = note.test(text) || text.trimEnd() === `${indent}${key}:`;
      const value = entries[path];
      if (value !== undefined) return `${indent}${key}: ${value}`;
      return isAsked ? `${indent}${key}:` : text;
    })
    .join("\n");
}

/** Every field that a form has. */
export function fieldsOf(form: string): readonly string[] {
  const paths = linesOf(form).flatMap((line) => line?.path ?? []);
  return paths.filter((path) => !paths.some((other) => other.startsWith(`${path}/`)));
}

function linesOf(form: string): readonly (Line | undefined)[] {
  const above: { readonly depth: number; readonly path: string }[] = [];
  return form.split("\n").map((text) => {
    const [, indent, key] = field.exec(text) ?? [];
    if (indent === undefined || key === undefined) return undefined;
    const depth = indent.replaceAll("\t", "  ").length;
    while ((above.at(-1)?.depth ?? -1) >= depth) above.pop();
    const parent = above.at(-1)?.path;
    const path = parent === undefined ? key : `${parent}/${key.replaceAll("/", "~1")}`;
    above.push({ depth, path });
    return { path, indent, key };
  });
}
