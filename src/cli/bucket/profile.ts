/** A file of AWS's tools: sections of `name = value`. Whatever is not ours stays as it is, to the letter. */
export interface Section {
  /** As it stands between the brackets. */
  readonly heading: string;
  readonly values: Readonly<Record<string, string>>;
}

export interface Written {
  readonly text: string;
  /** What somebody else has set under this heading, by name; none when the section is new or was written for this Bucket. */
  readonly lost: readonly string[];
}

const mark = "# kubectl portway: the Bucket ";

/** The file with this section in it, instead of those under the same heading that were there. */
export function withSection(text: string, section: Section, bucketUid: string): Written {
  const parts = partsOf(text);
  const old = parts.filter(({ heading }) => heading === section.heading);
  const kept = parts.filter((part) => !old.includes(part));
  const at = parts.findIndex((part) => old.includes(part));
  const fresh = `[${section.heading}]\n${mark}${bucketUid}\n${linesOf(section)}`;
  const position = at < 0 ? kept.length : at;
  const before = joined(kept.slice(0, position));
  const after = joined(kept.slice(position));
  const gap = before === "" || before.endsWith("\n\n") ? "" : before.endsWith("\n") ? "\n" : "\n\n";
  return {
    text: `${before}${gap}${fresh}${after === "" ? "" : `\n${after}`}`,
    lost: old.flatMap((part) => namesNotOurs(part, section, bucketUid)),
  };
}

interface Part {
  /** Undefined for what stands before the first heading. */
  readonly heading: string | undefined;
  readonly lines: readonly string[];
}

function partsOf(text: string): readonly Part[] {
  const parts: { heading: string | undefined; lines: string[] }[] = [{ heading: undefined, lines: [] }];
  for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const [, heading] = /^\s*\[([^\]]*)\]/.exec(line) ?? [];
    if (heading !== undefined) parts.push({ heading: plain(heading), lines: [] });
    parts.at(-1)?.lines.push(line);
  }
  return parts;
}

/** `[profile "photos"]` and `[ profile photos ]` are the same one. */
function plain(heading: string): string {
  return heading.replaceAll(/["']/g, "").trim().replaceAll(/\s+/g, " ");
}

function joined(parts: readonly Part[]): string {
  return parts.flatMap(({ lines }) => lines).join("");
}

function linesOf({ values }: Section): string {
  return Object.entries(values)
    .map(([name, value]) => `${name} = ${value}\n`)
    .join("");
}

function namesNotOurs({ lines }: Part, { values }: Section, bucketUid: string): readonly string[] {
  const isOurs = lines.some((line) => line.trim() === `${mark}${bucketUid}`);
  const names = lines.flatMap((line) => /^([^\s=#;[][^=]*?)\s*=/.exec(line)?.[1] ?? []);
  return isOurs ? names.filter((name) => !Object.hasOwn(values, name)) : names;
}
