const newline = 10;

export interface Lines {
  add(chunk: Buffer): void;
  /** What came after the last line break. */
  rest(): Buffer;
}

/** Hands over every whole line with its line break, so that all of them together are the bytes that came in. */
export function linesTo(onLine: (line: Buffer) => void): Lines {
  let begun: Buffer[] = [];
  return {
    add(chunk) {
      let from = 0;
      for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
        const last = chunk.subarray(from, end + 1);
        from = end + 1;
        onLine(begun.length === 0 ? last : Buffer.concat([...begun, last]));
        begun = [];
      }
      if (from < chunk.length) begun.push(chunk.subarray(from));
    },
    rest: () => Buffer.concat(begun),
  };
}

const bookmark = Buffer.from('{"type":"BOOKMARK"');

/** The version of the bookmark that ends a first list; undefined for every other line. */
export function endOfFirstList(line: Buffer): string | undefined {
  if (!line.subarray(0, bookmark.length).equals(bookmark)) return undefined;
  const { object } = JSON.parse(line.toString("utf8")) as {
    readonly object: {
      readonly metadata: { readonly resourceVersion: string; readonly annotations?: Record<string, string> };
    };
  };
  const isEnd = object.metadata.annotations?.["k8s.io/initial-events-end"] === "true";
  return isEnd ? object.metadata.resourceVersion : undefined;
}
