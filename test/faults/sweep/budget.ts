import { inWords } from "../order.ts";
import type { WriteRecord } from "../proxy/write-record.ts";

/** A fault may cost some tries; this many more than usual, and the process is running in circles. */
const mostTriesMore = 25;

export const isStored = ({ code = 0 }: Pick<WriteRecord, "code">) => code >= 200 && code < 300;

/** The writes that count: of those that may repeat, one for each object. */
export function counted(
  writes: readonly WriteRecord[],
  mayRepeat: (write: WriteRecord) => boolean = () => false,
): readonly WriteRecord[] {
  const known = new Set<string>();
  return writes.filter((write) => {
    if (!mayRepeat(write) || !isStored(write)) return true;
    const object = `${write.resource} ${write.namespace ?? ""}/${write.name ?? ""}`;
    return !known.has(object) && known.add(object) !== undefined;
  });
}

export interface Allowance {
  readonly explains?: number;
  readonly tells?: true;
  readonly mayRepeat?: (write: WriteRecord) => boolean;
  readonly afterDoubt?: (write: WriteRecord) => boolean;
}

/** G6: a fault explains some repeated writes, and nothing else may be written more often than usual. */
export function overspent(
  writes: readonly WriteRecord[],
  reference: readonly WriteRecord[],
  { explains = 0, tells, mayRepeat, afterDoubt = () => false }: Allowance,
): readonly string[] {
  const isCounted = (write: WriteRecord) =>
    isStored(write) && !afterDoubt(write) && (tells !== true || write.subresource !== "status");
  const stored = counted(writes, mayRepeat).filter(isCounted).length;
  const usual = counted(reference, mayRepeat).filter(isCounted).length;
  const log = () => writes.map(inWords).join(", ");
  return [
    ...(stored <= usual + explains
      ? []
      : [`G6 ${stored} writes were stored, and ${usual} and ${explains} more can be explained: ${log()}`]),
    ...(writes.length <= reference.length + mostTriesMore ? [] : [`G6 it tried ${writes.length} times: ${log()}`]),
  ];
}
