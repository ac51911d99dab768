// Rendering of values in legacy responses. Numbers stay text, so that no digit is lost.
import { elements } from '../../wire/json/elements.js'
import { JsonReader, type JsonText } from '../../wire/json/json-text.js'

/** A JSON object of names and JSON texts. */
export function jsonObject(members: readonly (readonly [string, JsonText])[]): JsonText {
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`
}

/** Renders `[7,9]` of the percentiles 50 and 99 as `{"50":7,"99":9}`; an empty object when there are no values. */
export function byPercentile(values: JsonText, ranks: readonly number[]): JsonText {
  if (values === 'null') return values
  const found = elements(values)
  return jsonObject(ranks.map((rank, i) => [String(rank), found[i] ?? 'null']))
}

/** Removes null members from an object: the event does not have these fields. */
export function withoutNulls(object: JsonText): JsonText {
  if (object === 'null') return object
  const members: [string, JsonText][] = []
  const reader = new JsonReader(object)
  reader.object((name) => members.push([name, reader.raw()]))
  return jsonObject(members.filter(([, value]) => value !== 'null'))
}
