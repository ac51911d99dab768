/** An object of JSON or TOML with unchecked values. */
export type JsonObject = Readonly<Record<string, unknown>>

/** True for objects, but not for arrays and null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns an object as it is, and an empty one in place of any other value. */
export function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}

/** Parses JSON. Returns undefined for other text. */
export function parseJson(text: string, parse: (text: string) => unknown = JSON.parse): unknown {
  try {
    return parse(text)
  } catch {
    return undefined
  }
}
