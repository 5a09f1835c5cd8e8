/** Flags that several commands share. */
export const nameFlag = { name: { says: 'which cluster; "dev" when not given', value: "NAME" } } as const;
export const outputFlag = { output: { says: "json or yaml instead of text", value: "json|yaml", short: "o" } } as const;
