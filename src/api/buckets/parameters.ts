/** What a class says to Portway and not to its driver. */
const ownPrefix = "cosi.io/";

/** The parameters that a driver is told. */
export function driverParameters(parameters: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(parameters).filter(([key]) => !key.startsWith(ownPrefix)));
}

/** What a class says to Portway: its users see what comes of it, so it is no secret of the platform team. */
export function ownParameters(parameters: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(parameters).filter(([key]) => key.startsWith(ownPrefix)));
}
