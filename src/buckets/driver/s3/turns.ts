/** One after another for each key, in the order of asking: a policy is read, changed and written as one act. */
export interface Turns {
  take<T>(key: string, work: () => Promise<T>): Promise<T>;
}

export function turns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return {
    async take(key, work) {
      const before = last.get(key) ?? Promise.resolve();
      const mine = before.then(work, work);
      last.set(key, mine);
      try {
        return await mine;
      } finally {
        if (last.get(key) === mine) last.delete(key);
      }
    },
  };
}
