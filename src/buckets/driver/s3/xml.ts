/** The few shapes of XML that S3 answers and takes. No library: there are no attributes, comments or mixed content. */

/** What stands in the elements of this name, in their order. */
export function elements(xml: string, name: string): readonly string[] {
  const found = xml.matchAll(new RegExp(`<${name}(?:\\s[^>]*?)?(?:/>|>(.*?)</${name}>)`, "gs"));
  return [...found].map(([, content = ""]) => content);
}

export function textOf(xml: string, name: string): string | undefined {
  const [content] = elements(xml, name);
  return content === undefined ? undefined : unescaped(content);
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function unescaped(text: string): string {
  return text.replaceAll(
    /&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
      if (decimal !== undefined) return String.fromCodePoint(Number.parseInt(decimal, 10));
      return entities[name ?? ""] ?? whole;
    },
  );
}

export function element(name: string, ...content: readonly string[]): string {
  return `<${name}>${content.join("")}</${name}>`;
}

/** A text as it stands in an element. Line breaks are written as numbers, or a reader would make others of them. */
export function escaped(text: string): string {
  return text.replaceAll(/[&<>"'\r\n\t]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
