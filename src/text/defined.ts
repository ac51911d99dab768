/** Returns an object without its undefined members, for a spread over defaults and where keys are enumerated. */
export function defined<T extends object>(
  members: T,
): { [K in keyof T]: Exclude<T[K], undefined> } {
  const there = Object.entries(members).filter(([, value]) => value !== undefined)
  return Object.fromEntries(there) as { [K in keyof T]: Exclude<T[K], undefined> }
}
