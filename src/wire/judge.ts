import { ENGINE_TIME, parseEventTime } from './event-time.js'
import { pathKey } from './field-path.js'
import { FORM_NAMES, type Leaf, LineError, type LineFault, readLeaves } from './json-line.js'
import { timePaths } from './time-path.js'

/** What a line of text is, as the service sees it. */
export type Judged =
  | { readonly kind: 'event'; readonly leaves: readonly Leaf[]; readonly time: bigint | undefined }
  | { readonly kind: 'blank' }
  | { readonly kind: 'rejected'; readonly fault: LineFault; readonly reason: string }

/** What JSON calls white space, and nothing else that looks like it. */
const BLANK = /^[ \t\r\n]*$/
const ENGINE_READS = new RegExp(ENGINE_TIME)

/**
 * Reads a line exactly; its text is undefined when it is not UTF-8. An event's `time` is there when
 * the engine can't read it by itself.
 */
export function judge(line: string | undefined, timestampField: string): Judged {
  if (line === undefined) return { kind: 'rejected', fault: 'not-utf-8', reason: 'not UTF-8' }
  if (BLANK.test(line)) return { kind: 'blank' }
  try {
    const leaves = readLeaves(line)
    return { kind: 'event', time: timeOf(leaves, timestampField), leaves }
  } catch (error) {
    if (!(error instanceof LineError)) throw error
    return { kind: 'rejected', fault: error.fault, reason: error.message }
  }
}

function timeOf(leaves: readonly Leaf[], timestampField: string): bigint | undefined {
  const places = timePaths(timestampField).map(pathKey)
  const found = places
    .map((place) => leaves.find((leaf) => pathKey(leaf.path) === place))
    .find((leaf) => leaf !== undefined && leaf.form !== 'null')
  if (found === undefined) {
    const object = leaves.find((leaf) => isInside(leaf, timestampField))
    if (object === undefined) return undefined
    throw notTime(timestampField, FORM_NAMES.object)
  }
  if (found.form !== 'string' && found.form !== 'number') {
    throw notTime(timestampField, FORM_NAMES[found.form])
  }
  const time = parseEventTime(found.text)
  if (time === undefined) throw notTime(timestampField, JSON.stringify(found.text.slice(0, 60)))
  return ENGINE_READS.test(found.text) ? undefined : time
}

function isInside(leaf: Leaf, timestampField: string): boolean {
  return timePaths(timestampField).some(
    (path) => leaf.path.length > path.length && path.every((key, i) => key === leaf.path[i]),
  )
}

function notTime(field: string, found: string): LineError {
  return new LineError('not-a-time', `\`${field}\` is not a time between 1900 and 2262: ${found}`)
}
