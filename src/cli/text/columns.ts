/** Cells under their headings, as kubectl prints them: three blanks between columns, none at the end of a line. */
export function inColumns(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [headings, ...rows];
  const widths = headings.map((_, column) => Math.max(...lines.map((cells) => widthOf(cells[column] ?? ""))));
  const lineOf = (cells: readonly string[]) =>
    cells.map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - widthOf(cell) + 3)).join("");
  return lines.map((cells) => lineOf(cells).trimEnd()).join("\n");
}

/** Colours take no room. */
function widthOf(cell: string): number {
  const [plain = "", ...coloured] = cell.split("\u001b[");
  return coloured.reduce((width, part) => width + part.length - part.indexOf("m") - 1, plain.length);
}
