const codes: Readonly<Record<string, number>> = {
  Complete: 32,
  Transferring: 36,
  Pending: 33,
  Failed: 31,
  RolledBack: 35,
  Bound: 32,
  Retrying: 33,
  Releasing: 36,
};

/** Phases can be told apart at a glance. */
export function coloured(phase: string, isOn: boolean): string {
  const code = codes[phase];
  return isOn && code !== undefined ? `\u001b[${code}m${phase}\u001b[0m` : phase;
}
