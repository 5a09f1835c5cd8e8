import { stripped, withoutSecrets } from "../../rpc/redact.ts";
import { harmlessText } from "../../runtime/log/redact.ts";

const longestWords = 1000;

/** What keys look like, wherever they are quoted; the uids, names and request ids that help are none of these. */
const secretTexts: readonly (readonly [RegExp, string])[] = [
  [
    /\b((?:[\w-]*(?:secret|passw|token|credential|signature|private)[\w-]*)["']?\s*[:=]\s*["']?)[^\s"',;&]+/gi,
    `$1${stripped}`,
  ],
  [/(?<![\w/+-])(?=[\w/+]*[a-z])(?=[\w/+]*[A-Z])(?=[\w/+]*\d)[\w/+]{40,}={0,2}(?![\w/+-])/g, stripped],
];

/** As they may be told to everybody who may read a Bucket: no key in them, no endless text, no control character. */
export function driversWords(said: string, known: readonly string[]): string {
  let words = harmlessText(withoutSecrets(said, known));
  for (const [pattern, instead] of secretTexts) words = words.replaceAll(pattern, instead);
  const plain = words.replaceAll(/\p{Cc}+/gu, " ").trim();
  return plain.length <= longestWords ? plain : `${plain.slice(0, longestWords)}…`;
}
