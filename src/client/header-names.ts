import { HEADER, type HeaderNames } from '../wire/http/header.js'

type Headers<Value> = Readonly<Record<string, Value>>

/** Renames the headers of the interface to what a deployment calls them, and back. */
export function headerTranslation(names: Partial<HeaderNames>) {
  const pairs = (Object.keys(names) as (keyof typeof HEADER)[]).map(
    (key) => [HEADER[key], names[key] ?? HEADER[key]] as const,
  )
  const outward = new Map<string, string>(pairs)
  const inward = new Map<string, string>(pairs.map(([here, there]) => [there, here]))
  return {
    there: <Value>(headers: Headers<Value>) => renamed(headers, outward),
    here: <Value>(headers: Headers<Value>) => renamed(headers, inward),
  }
}

function renamed<Value>(
  headers: Headers<Value>,
  names: ReadonlyMap<string, string>,
): Headers<Value> {
  if (names.size === 0) return headers
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [names.get(name) ?? name, value]),
  )
}
