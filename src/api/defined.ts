type Defined<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The members that have a value. A member that is there and undefined is not the same as one that is not there. */
export function defined<T extends object>(members: T): Defined<T> {
  const found: Record<string, unknown> = {};
  // Every request passes here several times: a list of pairs would cost more than what is done with it.
  for (const name of Object.keys(members)) {
    const value = (members as Readonly<Record<string, unknown>>)[name];
    if (value !== undefined) found[name] = value;
  }
  return found as Defined<T>;
}
