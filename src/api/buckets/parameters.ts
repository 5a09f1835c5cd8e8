/** What a class says to Portway and not to its driver. */
const ownPrefix = "cosi.io/";

/** The parameters that a driver is told. */
export function driverParameters(parameters: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(parameters).filter(([key]) => !key.startsWith(ownPrefix)));
}
