import { JsonReader, type JsonText } from './json-text.js'

/** Returns the elements of a JSON array as JSON texts. */
export function elements(array: JsonText): readonly JsonText[] {
  if (isPlain(array)) return array === '[]' ? [] : array.slice(1, -1).split(',')
  const found: JsonText[] = []
  const reader = new JsonReader(array)
  reader.array(() => found.push(reader.raw()))
  return found
}

/** True when all elements are numbers, true, false or null, so that commas occur only between elements. */
function isPlain(array: JsonText): boolean {
  return /^\[[^"[{\s]*\]$/.test(array)
}
