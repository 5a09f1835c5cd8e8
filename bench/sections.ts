/** The parts of docs/benchmarks.md that benchmarks of their own write, in the order in which they stand at its end. */
const headings = ["## Transfers", "## Provisioner", "## Buckets", "## Command line"] as const;
export type Heading = (typeof headings)[number];

/** The page with this section in the place of an older one, and all others as they were. */
export function withSection(page: string, section: string): string {
  const sections = headings.map((heading) => (section.startsWith(`${heading}\n`) ? section : sectionIn(page, heading)));
  return [`${bodyOf(page)}\n`, ...sections.filter((one) => one !== "").map((one) => `${one.trimEnd()}\n`)].join("\n");
}

/** A page whose body was written anew, with the sections that the old one had. */
export function withSectionsOf(page: string, old: string): string {
  return headings.reduce((now, heading) => {
    const section = sectionIn(old, heading);
    return section === "" ? now : withSection(now, section);
  }, page);
}

export function sectionIn(page: string, heading: Heading): string {
  const at = page.indexOf(`\n${heading}\n`);
  if (at === -1) return "";
  const section = page.slice(at + 1);
  const end = Math.min(...headings.map((other) => section.indexOf(`\n${other}\n`)).filter((found) => found > 0));
  return Number.isFinite(end) ? `${section.slice(0, end).trimEnd()}\n` : section;
}

function bodyOf(page: string): string {
  const begins = headings.map((heading) => page.indexOf(`\n${heading}\n`)).filter((at) => at !== -1);
  return page.slice(0, Math.min(page.length, ...begins)).trimEnd();
}
