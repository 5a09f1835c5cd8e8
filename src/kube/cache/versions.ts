/**
 * Resource versions are decimal numbers too long for a double; compared without parsing: the longer one is the later one.
 * An empty one is earlier than all.
 */
export function isAtLeast(version: string, other: string): boolean {
  return version.length === other.length ? version >= other : version.length > other.length;
}
