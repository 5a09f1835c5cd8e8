const driverName = /^(?=.{1,63}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** A lower-case DNS subdomain of at most 63 characters: it names the driver's registration and is part of labels. */
export function isDriverName(name: string): boolean {
  return driverName.test(name);
}
