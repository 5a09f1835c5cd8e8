import { inWords } from "../kubectl/names.ts";
import { ageOf } from "../text/age.ts";
import { coloured } from "../text/colours.ts";
import { whyInWords } from "../text/told.ts";
import type { Standing } from "./pairs.ts";

export interface Look {
  readonly isWide: boolean;
  readonly colours: boolean;
  readonly now: Date;
}

export function headingsOf({ isWide }: Pick<Look, "isWide">): readonly string[] {
  const wide = isWide ? ["APPROVAL", "REASON", "OPERATION"] : [];
  return ["REQUEST", "SOURCE", "TARGET", "PHASE", "AGE", ...wide, "WHY", "NEXT"];
}

export function cellsOf(standing: Standing, { isWide, colours, now }: Look): readonly string[] {
  const { request, source, target, approval, phase, reason, operation = "", since, told, next } = standing;
  const wide = isWide ? [approval === undefined ? "-" : inWords(approval), reason || "-", operation || "-"] : [];
  const place = target.name === undefined ? `${target.namespace}/?` : `${target.namespace}/${target.name}`;
  const by = request === undefined ? "(by annotation)" : inWords(request);
  const cells = [by, inWords(source), place, coloured(phase, colours), ageOf(since, now)];
  return [...cells, ...wide, whyInWords(told), next];
}
