import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseTimestamp } from '../../../src/wire/time/timestamp.js'

/**
 * A log as its program writes it, and its events, worked out by hand from the documentation of the program.
 *
 * An expected event lists some of its fields; `null` is a field that must be missing. A string that begins or ends with
 * `…` is the end or the beginning of the value, and a list has all allowed values. `$lines` is the number of lines that
 * the event consists of, 1 by default, and `$values` are values of any fields.
 */
export interface Sample {
  /** Its folder and its name. */
  readonly name: string
  readonly log: Buffer
  /** True for JSON and tables, whose fields the service reads. */
  readonly isStructured: boolean
  readonly events: readonly ExpectedEvent[]
}

export type ExpectedEvent = Readonly<Record<string, unknown>> & {
  readonly $lines?: number | string
  readonly $values?: readonly unknown[]
  /** True for an event that may also be a part of the one in front of it. */
  readonly optional?: boolean
}

/** An event of the input layer, and the text it was read from. */
export interface ActualEvent {
  readonly fields: Readonly<Record<string, unknown>>
  readonly text: string | undefined
  /** The number of its first line, from 1. */
  readonly line?: number | undefined
}

const directory = join(import.meta.dirname, 'samples')

export const SAMPLES: readonly Sample[] = readdirSync(directory).flatMap((folder) =>
  readdirSync(join(directory, folder))
    .filter((file) => file.endsWith('.log'))
    .map((file) => readSample(`${folder}/${file.replace(/\.log$/, '')}`)),
)

function readSample(name: string): Sample {
  const expected = readFileSync(join(directory, `${name}.ndjson`), 'utf8')
  return {
    name,
    log: readFileSync(join(directory, `${name}.log`)),
    isStructured: /^json\/|sv$/.test(name),
    events: expected
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line)),
  }
}

/** Returns the expected events without those that are a part of another one, if fewer were read. */
export function expectedOf({ events }: Sample, count: number): readonly ExpectedEvent[] {
  return count < events.length ? events.filter(({ optional }) => !optional) : events
}

/** Returns the fields of an event that are expected, each as it was expected if it is right. */
export function comparable(event: ActualEvent, expected: ExpectedEvent): ExpectedEvent {
  const { fields, text } = event
  const lines = text?.replace(/\r?\n$/, '').split('\n').length
  const values = leaves(fields)
  return Object.fromEntries(
    Object.entries({ $lines: 1, ...expected }).map(([key, value]) => {
      if (key === 'optional') return [key, value]
      if (key === '$lines') return [key, isCount(lines, String(value)) ? value : lines]
      if (key === '$values')
        return [key, (value as unknown[]).filter((one) => values.includes(one))]
      const actual = fields[key]
      return [key, isAllowed(key, actual, value) ? value : actual]
    }),
  )
}

/** Adds what `comparable` adds. */
export function complete(expected: ExpectedEvent): ExpectedEvent {
  return { $lines: 1, ...expected }
}

/** True for a number in a range like `2-3`, and for an unknown number. */
function isCount(lines: number | undefined, range: string): boolean {
  const [least, most = least] = range.split('-').map(Number)
  return lines === undefined || (lines >= least! && lines <= most!)
}

function isAllowed(key: string, actual: unknown, expected: unknown): boolean {
  if (Array.isArray(expected)) return expected.some((one) => isAllowed(key, actual, one))
  if (expected === null) return actual === undefined
  if (key === '_time')
    return typeof actual === 'string' && nanoseconds(actual) === nanoseconds(expected)
  if (typeof expected !== 'string' || typeof actual !== 'string') return actual === expected
  const text = actual.replaceAll('\r\n', '\n')
  if (expected.endsWith('…')) return text.startsWith(expected.slice(0, -1))
  return expected.startsWith('…') ? text.endsWith(expected.slice(1)) : text === expected
}

function nanoseconds(time: unknown): bigint | undefined {
  return parseTimestamp(String(time))
}

/** Returns all values, also those inside objects and lists. */
export function leaves(value: unknown): readonly unknown[] {
  return typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(leaves)
    : [value]
}
