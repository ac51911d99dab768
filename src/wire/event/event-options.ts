import type { FieldPath } from '../json/field-path.js'
import { readLeaves } from '../json/json-line.js'
import type { TimeFormat } from '../time/time-format.js'

/** What a sender says of all events of a batch. */
export interface EventOptions {
  /** The field that holds an event's time: `_time` unless the sender says otherwise. */
  readonly timestampField: string
  /** How the times are written; without it the usual ways are recognised. */
  readonly timeFormat?: TimeFormat
  /** Fields that each event gets, as the members of a JSON object without its braces. */
  readonly labels?: string
}

/** Where an event may hold its time: the key as it is, or the place that a dotted name means. */
export function timePaths(timestampField: string): readonly FieldPath[] {
  const nested = timestampField.split('.')
  return nested.length === 1 || nested.includes('')
    ? [[timestampField]]
    : [[timestampField], nested]
}

/** The members of a JSON object of texts, numbers and booleans; undefined when it holds anything else. Throws `LineError`. */
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
 * An event with its labels, which come first: of a key that comes twice the first counts, so a label
 * wins over the event's own field of that name. What is no object stays as it is.
 */
export function withLabels(line: string, labels: string): string {
  const comma = EMPTY.test(line) ? '' : ','
  return line.replace(OBJECT, () => `{${labels}${comma}`)
}
