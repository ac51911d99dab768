import { exactJsonText, parseExactJson } from '../../wire/json/exact-json.js'
import { isJsonObject, parseJson } from '../../wire/json/json-object.js'
import { valueEnd } from '../../wire/json/members.js'

/** The beginning of an object after other text. */
const START = /(?<![^\s:=])\{\s*"/g
/** Nothing, or the empty list or object that Monolog writes after an object. */
const NO_MORE = /^\s*(?:\[\]|\{\})?\s*$/
/** The number of braces that are tried as the start of the object. */
const MAX_STARTS = 4
/** Objects are looked for in lines of up to this many characters. */
const MAX_LINE = 16_384

/** Returns the JSON objects with which the first line of a text ends: one, or two as Monolog writes them, or none. */
export function objectsAtEnd(text: string): readonly string[] {
  const lineEnd = text.indexOf('\n')
  const line = (lineEnd === -1 ? text : text.slice(0, lineEnd)).trimEnd()
  if (line.length > MAX_LINE || !/[\]}]$/.test(line)) return []
  START.lastIndex = 0
  for (let tried = 0; tried < MAX_STARTS; tried++) {
    const start = START.exec(line)?.index
    if (start === undefined) return []
    const end = valueEnd(line, start)
    if (end <= start) return []
    const rest = line.slice(end)
    if (NO_MORE.test(rest)) return [line.slice(start, end)]
    const second = rest.trimStart()
    if (/^\{\s*"/.test(second) && valueEnd(second, 0) === second.length) {
      return [line.slice(start, end), second]
    }
  }
  return []
}

/** Returns the members of the objects at the end of the first line of a text, in latin1, with their values as JSON. */
export function membersAtEnd(text: string): readonly (readonly [key: string, json: string])[] {
  const members: (readonly [string, string])[] = []
  for (const object of objectsAtEnd(text)) {
    const value = parseJson(object, parseExactJson)
    if (!isJsonObject(value)) continue
    for (const key of Object.keys(value)) members.push([key, exactJsonText(value[key])])
  }
  return members
}
