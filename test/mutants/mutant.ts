/** One thing broken on purpose, and the test that is there to notice it. */
export interface Mutant {
  readonly name: string;
  /** What is broken, in a sentence. */
  readonly says: string;
  readonly test: string;
  /** The names of the tests of which one has to fail. */
  readonly fails: RegExp;
  /** What its failure has to say, where a test can fail for many reasons. */
  readonly because: RegExp;
  readonly needsCluster: boolean;
  /** The files it changes. */
  readonly touches: readonly string[];
  /** The unified diff with the header above it, as `git apply` takes it. */
  readonly patch: string;
}

/** Reads `test/mutants/<name>.patch`: a sentence, the lines test, fails, cluster and perhaps because, then a diff. */
export function mutantFrom(name: string, patch: string): Mutant {
  const [head = "", ...rest] = patch.split(/^(?=--- )/m);
  const lines = head.split("\n").filter((line) => line !== "");
  const found = (word: string) => lines.find((line) => line.startsWith(`${word}: `))?.slice(word.length + 2);
  const saysOf = (word: string) => found(word) ?? missing(name, `a line "${word}: "`);
  const [says = missing(name, "a sentence on what is broken")] = lines;
  const touches = rest.map((part) => /^--- a\/(\S+)/.exec(part)?.[1] ?? missing(name, "a path after --- a/"));
  if (touches.length === 0) missing(name, "a diff");
  if (touches.some((path) => path.endsWith(".test.ts"))) throw new Error(`${name}: a mutant breaks no test`);
  const cluster = saysOf("cluster");
  if (cluster !== "yes" && cluster !== "no") missing(name, '"yes" or "no" after "cluster: "');
  return {
    name,
    says,
    test: saysOf("test"),
    fails: new RegExp(saysOf("fails")),
    because: new RegExp(found("because") ?? ""),
    needsCluster: cluster === "yes",
    touches,
    patch,
  };
}

function missing(name: string, what: string): never {
  throw new Error(`${name}: the patch has not got ${what}`);
}
