import { visibleLines } from '../../render/visible.js'
import type { Io } from '../io.js'

/** Prints a record as JSON: laid out for a reader, on one line for a program. */
export function writeRecord(record: object, { stdout }: Pick<Io, 'stdout'>): void {
  const text = stdout.isTTY
    ? visibleLines(JSON.stringify(record, undefined, 2))
    : JSON.stringify(record)
  stdout.write(`${text}\n`)
}
