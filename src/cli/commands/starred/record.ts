import { escapeControlsInLines } from '../../../render/escape-controls.js'
import { exactJsonText } from '../../../wire/json/exact-json.js'
import type { Io } from '../../io.js'

/** Prints a record as JSON: laid out for a reader, on one line for a program. */
export function writeRecord(record: object, { stdout }: Pick<Io, 'stdout'>): void {
  const text = stdout.isTTY
    ? escapeControlsInLines(exactJsonText(record, '  '))
    : exactJsonText(record)
  stdout.write(`${text}\n`)
}
