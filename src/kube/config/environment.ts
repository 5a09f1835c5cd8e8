export type Environment = Readonly<Record<string, string | undefined>>;

/** An empty variable says as much as none. */
export function variable(env: Environment, name: string): string | undefined {
  return env[name] || undefined;
}
