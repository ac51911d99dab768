import type { FieldPath } from '../json/field-path.js'
import { readLeaves } from '../json/json-line.js'
import type { TimeFormat } from '../time/time-format.js'

export interface EventOptions {
  /** The field with the time of an event; `_time` by default. */
  readonly timestampField: string
  /** The format of the times; by default common formats are recognized. */
  readonly timeFormat?: TimeFormat
  /** Fields to add to each event, as members of a JSON object without braces. */
  readonly labels?: string
}

/**
 * Returns the paths at which the time may be, in order of precedence: the name as a single key, and the path of a dotted name.
 */
export function timePaths(timestampField: string): readonly FieldPath[] {
  const nested = timestampField.split('.')
  return nested.length === 1 || nested.includes('')
    ? [[timestampField]]
    : [[timestampField], nested]
}

/**
 * Returns the members of a JSON object of strings, numbers and booleans; undefined when it contains other values.
 * Throws `LineError` for invalid JSON.
 */
export function parseLabels(text: string): string | undefined {
  const leaves = readLeaves(text)
  const members = leaves.map(({ path, form, text }) => {
    const [key] = path
    if (path.length > 1 || !['string', 'number', 'bool'].includes(form)) return undefined
    return `${JSON.stringify(key)}:${form === 'string' ? JSON.stringify(text) : text}`
  })
  return members.includes(undefined) ? undefined : members.join(',')
}

const EMPTY = /^[ \t\r]*\{[ \t\r]*\}/

const OBJECT = /^[ \t\r]*\{/

/**
 * Adds labels to an event. The labels come first and replace fields of the same name, because the first of repeated keys counts.
 * Text that is not an object is returned unchanged.
 */
export function withLabels(line: string, labels: string): string {
  const comma = EMPTY.test(line) ? '' : ','
  return line.replace(OBJECT, () => `{${labels}${comma}`)
}
