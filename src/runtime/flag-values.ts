import { misuse } from "../api/failure.ts";

const secondsOfUnit: Readonly<Record<string, number>> = {
  h: 3600,
  m: 60,
  s: 1,
  ms: 1e-3,
  us: 1e-6,
  µs: 1e-6,
  ns: 1e-9,
};
const part = /([0-9]+\.?[0-9]*|\.[0-9]+)(h|ms|m|s|us|µs|ns)/y;

/** Seconds, from a duration as Go writes it: `15s`, `1m30s`, `500ms`. */
export function durationOf(text: string, flag = "the duration"): number {
  const seconds = text === "0" ? 0 : secondsIn(text);
  if (seconds !== undefined) return seconds;
  throw misuse(`${flag} is no duration: "${text}"`, "Write it like 15s, 1m30s or 500ms.");
}

function secondsIn(text: string): number | undefined {
  part.lastIndex = 0;
  let seconds = 0;
  while (part.lastIndex < text.length) {
    const [, amount = "", unit = ""] = part.exec(text) ?? [];
    if (unit === "") return undefined;
    seconds += Number(amount) * (secondsOfUnit[unit] ?? 0);
  }
  // Fractions of units add up to 0.30000000000000004; nobody means less than a nanosecond.
  return text === "" ? undefined : Math.round(seconds * 1e9) / 1e9;
}

export function booleanOf(text: string, flag: string): boolean {
  if (/^(true|t|1)$/i.test(text)) return true;
  if (/^(false|f|0)$/i.test(text)) return false;
  throw misuse(`${flag} is neither true nor false: "${text}"`, `Write ${flag}=true or ${flag}=false.`);
}

export interface Bounds {
  readonly least?: number;
  readonly most?: number;
}

export function wholeNumberOf(text: string, flag: string, { least = 0, most = 1e9 }: Bounds = {}): number {
  const number = /^[0-9]{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw misuse(`${flag} is no whole number that is allowed: "${text}"`, `Write a number from ${least} to ${most}.`);
}

export function numberOf(text: string, flag: string): number {
  const number = /^-?[0-9]+(\.[0-9]+)?$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isFinite(number)) return number;
  throw misuse(`${flag} is no number: "${text}"`, "Write it like 20 or 0.5.");
}

/** Where to listen: `:8080` on every address, `host:port`, `[::1]:8080`; nowhere when it is empty. */
export interface Endpoint {
  readonly host?: string;
  readonly port: number;
}

export function endpointOf(text: string, flag = "--http-endpoint"): Endpoint | undefined {
  if (text === "") return undefined;
  const [, bracketed, plain, port = ""] = /^(?:\[([0-9a-fA-F:.]+)\]|([^[\]:/\s]*)):([0-9]{1,5})$/.exec(text) ?? [];
  if (port === "" || Number(port) > 65_535)
    throw misuse(`${flag} is no address to listen on: "${text}"`, "Write it like :8080, 127.0.0.1:8080 or [::1]:8080.");
  const host = bracketed ?? plain ?? "";
  return host === "" ? { port: Number(port) } : { host, port: Number(port) };
}
