import { binarySize } from '../../../text/binary-size.js'
import { LINE_FEED } from '../../../text/bytes.js'
import { parseJson } from '../../../wire/json/json-object.js'
import { MAX_LINE_LENGTH } from '../../../wire/limits.js'
import { type Members, withFreeNames } from './envelope.js'
import { HecError } from './status.js'

/** The maximum size of a JSON object that spans several lines. */
const MAX_OBJECT_BYTES = 1024 * 1024

/**
 * Converts the lines of a body to events with a field `_raw`; yields undefined for a blank line. Bytes that are not UTF-8 are
 * replaced. With `isJson`, a line that is a JSON object is an event, and so is a body that is one JSON object on several lines. Its
 * members get a prefix when `metadata`, the fields that the caller adds to each event, has their names with other values. Throws a
 * `HecError` when a line is too long, or when there are no events.
 */
export function* rawEvents(
  body: Buffer,
  { isJson, metadata }: { readonly isJson: boolean; readonly metadata: Members },
): Generator<string | undefined, void> {
  const mayBeObject = isJson && body.length <= MAX_OBJECT_BYTES
  const whole = mayBeObject ? objectEvent(body.toString(), metadata) : undefined
  if (whole !== undefined) return yield whole
  let isEmpty = true
  for (let start = 0; start < body.length; ) {
    const lineFeed = body.indexOf(LINE_FEED, start)
    const end = lineFeed === -1 ? body.length : lineFeed
    if (end - start > MAX_LINE_LENGTH) throw tooLong()
    const line = body.toString('utf8', start, end).replace(/\r$/, '')
    const event = (isJson ? objectEvent(line, metadata) : undefined) ?? textEvent(line)
    if (event !== undefined) isEmpty = false
    yield event
    start = end + 1
  }
  if (isEmpty) throw new HecError(5)
}

function tooLong(): HecError {
  return new HecError(6, {
    message: `A line has more than ${binarySize(MAX_LINE_LENGTH)}. None of the events were stored.`,
  })
}

function textEvent(line: string): string | undefined {
  return /\S/.test(line) ? `{"_raw":${JSON.stringify(line)}}\n` : undefined
}

/** Returns a JSON object as a line; undefined for other text. */
function objectEvent(text: string, metadata: Members): string | undefined {
  if (!/^\s*\{/.test(text) || parseJson(text) === undefined) return undefined
  const line = text.replace(/[\r\n]/g, ' ')
  try {
    return `${withFreeNames(line, metadata)}\n`
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    // The event has too many keys: the store rejects it.
    return `${line}\n`
  }
}
