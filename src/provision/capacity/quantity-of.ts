const suffixes = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"] as const;

/** Bytes as people read them, and none lost: the largest binary unit of which there is a whole number. */
export function quantityOf(bytes: bigint): string {
  let [count, unit] = [bytes, 0];
  while (count !== 0n && count % 1024n === 0n && unit < suffixes.length - 1) {
    count /= 1024n;
    unit++;
  }
  return `${count}${suffixes[unit]}`;
}
