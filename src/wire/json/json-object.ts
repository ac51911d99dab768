/** What an object of JSON or TOML holds, not yet looked at. */
export type Members = Readonly<Record<string, unknown>>

/** Whether a value that was read is an object, and no list. */
export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
