/** What an object of JSON or TOML holds, not yet looked at. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Whether a value that was read is an object, and no list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
