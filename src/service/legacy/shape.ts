// Values as a legacy answer writes them. Numbers stay the text that they are.
import { JsonReader, type JsonText } from '../../wire/json/json-text.js'

/** The elements of a JSON array, each as its text. */
export function elements(array: JsonText): readonly JsonText[] {
  if (isPlain(array)) return array === '[]' ? [] : array.slice(1, -1).split(',')
  const found: JsonText[] = []
  const reader = new JsonReader(array)
  reader.array(() => found.push(reader.raw()))
  return found
}

/** Whether there are commas between the elements only: numbers, true, false and null. */
function isPlain(array: JsonText): boolean {
  return /^\[[^"[{\s]*\]$/.test(array)
}

/** A JSON object of names and texts. */
export function jsonObject(members: readonly (readonly [string, JsonText])[]): JsonText {
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`
}

/** `[7,9]` of the percentiles 50 and 99 as `{"50":7,"99":9}`; over no values there are none. */
export function byPercentile(values: JsonText, ranks: readonly number[]): JsonText {
  if (values === 'null') return values
  const found = elements(values)
  return jsonObject(ranks.map((rank, i) => [String(rank), found[i] ?? 'null']))
}

/** An object without the members that are null: a row has no fields that its event has not. */
export function withoutNulls(object: JsonText): JsonText {
  if (object === 'null') return object
  const members: [string, JsonText][] = []
  const reader = new JsonReader(object)
  reader.object((name) => members.push([name, reader.raw()]))
  return jsonObject(members.filter(([, value]) => value !== 'null'))
}
