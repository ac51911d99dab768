// JSON without rounding: integers that a double cannot hold are `bigint`.
import { JsonReader } from './json-text.js'

export type WholeNumber = number | bigint

/** Parses JSON; throws `SyntaxError` like `JSON.parse`. */
export function parseExactJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  return MAY_BE_LONG.test(text) ? readValue(new JsonReader(text)) : value
}

/** 2^53 has 16 digits. Digits after a quote or a letter are in a string, such as an id. */
const MAY_BE_LONG = /(?<!["\w])\d{16}/

function readValue(reader: JsonReader): unknown {
  switch (reader.next()) {
    case '{': {
      const members: [string, unknown][] = []
      for (const key of reader.members()) members.push([key, readValue(reader)])
      return Object.fromEntries(members)
    }
    case '[': {
      const elements: unknown[] = []
      reader.array(() => elements.push(readValue(reader)))
      return elements
    }
    default:
      return scalarOf(reader.raw())
  }
}

/** Parses a scalar. Like `JSON.parse`, returns infinity for an integer beyond doubles: parsing millions of digits takes seconds. */
function scalarOf(text: string): unknown {
  const value: unknown = JSON.parse(text)
  const isRounded = Number.isFinite(value) && !Number.isSafeInteger(value)
  return isRounded && /^-?\d+$/.test(text) ? BigInt(text) : value
}

/** Serializes a value like `JSON.stringify`, but a `bigint` as its digits. With `indent`, the text has several lines. */
export function exactJsonText(value: unknown, indent = '', margin = '\n'): string {
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const within = margin + indent
  const write = (inner: unknown) => exactJsonText(inner, indent, within)
  const [open, close, parts] = Array.isArray(value)
    ? (['[', ']', value.map(write)] as const)
    : (['{', '}', membersOf(value, { write, colon: indent === '' ? ':' : ': ' })] as const)
  if (indent === '' || parts.length === 0) return open + parts.join(',') + close
  return open + within + parts.join(`,${within}`) + margin + close
}

function membersOf(
  value: object,
  { write, colon }: { readonly write: (inner: unknown) => string; readonly colon: string },
): readonly string[] {
  return Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .map(([key, inner]) => JSON.stringify(key) + colon + write(inner))
}
