/** The same object, unchangeable to its depths: whoever writes into a shared cache is found out at once. */
export function frozen<T>(object: T): T {
  if (typeof object !== "object" || object === null || Object.isFrozen(object)) return object;
  for (const member of Object.values(object)) frozen(member);
  return Object.freeze(object);
}
