/** klog writes E or F and the date; cobra "Error:", Go "panic:", etcd JSON with a level. */
const complaint = /^(?:[EF]\d{4} |Error:|error:|panic:|fatal error:|.*"level":"(?:error|fatal|panic)")/;
const klogPrefix = /^[IWEF]\d{4} \d\d:\d\d:\d\d\.\d+\s+\d+ \S+\] /;
const klogError = / err="((?:[^"\\]|\\.)*)"/;
const longest = 400;

/** What a dead process most likely died of: the last complaint in its log, else its last line. */
export function lastWords(log: string): string {
  const lines = log.split("\n").filter((line) => line.trim() !== "");
  const words = lines.findLast((line) => complaint.test(line)) ?? lines.at(-1);
  return words === undefined ? "it wrote nothing" : plain(words).slice(0, longest);
}

/** The error inside a structured line where there is one, else the line without its date. */
function plain(line: string): string {
  const inKlog = klogError.exec(line)?.[1];
  if (inKlog !== undefined) return inKlog.replaceAll('\\"', '"');
  return inJson(line) ?? line.replace(klogPrefix, "");
}

function inJson(line: string): string | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    const { error, msg } = JSON.parse(line) as { readonly error?: string; readonly msg?: string };
    return error ?? msg;
  } catch {
    return undefined;
  }
}
