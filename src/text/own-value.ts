/** Returns the value of a key in a table; undefined for other keys, also for `constructor`, which every object inherits. */
export function ownValue<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}
