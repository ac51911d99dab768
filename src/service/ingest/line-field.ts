import { formatInteger } from '../../text/integer.js'
import type { RequestJson } from '../body/request-json.js'
import { type LineField, MAX_LINE_FIELDS, oneLine } from './labeled-line.js'

/** Reads the value of the member `name`, and adds the member to the fields. The value may have any type. */
export function readField(reader: RequestJson, name: string, fields: LineField[]): void {
  if (fields.length === MAX_LINE_FIELDS) {
    throw reader.error(`an object has more than ${formatInteger(MAX_LINE_FIELDS)} members`)
  }
  const value = reader.short(`the value of \`${name}\``)
  reader.parsed(value)
  fields.push({ name, value: oneLine(value) })
}
