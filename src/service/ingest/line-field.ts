import { formatInteger } from '../../text/integer.js'
import type { RequestJson } from '../body/request-json.js'
import { type LineField, MAX_LINE_FIELDS, oneLine } from './labeled-line.js'

/** Longer values are refused: parsing them could take all memory. */
const MAX_VALUE_LENGTH = 64 * 1024

/** Reads the value of a member, and adds both to the fields. Values of any type are kept as they are. */
export function readField(reader: RequestJson, name: string, fields: LineField[]): void {
  if (fields.length === MAX_LINE_FIELDS) {
    throw reader.error(`an object has more than ${formatInteger(MAX_LINE_FIELDS)} members`)
  }
  const value = reader.raw()
  if (value.length > MAX_VALUE_LENGTH) throw reader.error(`the value of \`${name}\` is too long`)
  reader.parsed(value)
  fields.push({ name, value: oneLine(value) })
}
