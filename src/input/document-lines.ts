import { Readable } from 'node:stream'
import { BACKSLASH, CLOSE_BRACE, LINE_FEED, OPEN_BRACE, QUOTE } from '../text/bytes.js'
import { type JsonObject, objectOf, parseJson } from '../wire/json/json-object.js'
import { containerEnd } from '../wire/json/members.js'
import { formatTimestamp, parseTimestamp } from '../wire/time/timestamp.js'
import { type ByteSource, chunksOf, derivedBytes, withHead } from './byte-source.js'

/** The beginning of a response of Loki, or of CloudWatch Logs Insights: their events are arrays in arrays. */
const RESPONSE =
  /^\s*\{\s*(?:"status"\s*:\s*"success"\s*,\s*"data"\s*:\s*\{\s*"resultType"\s*:\s*"streams"|(?:"\w{1,40}"\s*:\s*"[^"]{0,200}"\s*,\s*)?"results"\s*:\s*\[\s*\[\s*\{\s*"field"\s*:)/

/**
 * Returns the lines of a document of which `head` has been read; undefined when its events are read as they are written. A document
 * that the user wants as one event keeps its form.
 */
export function documentLines(
  head: Buffer,
  source: ByteSource,
  { records }: { readonly records?: string | undefined } = {},
): ByteSource | undefined {
  const text = head.toString('latin1')
  const isResponse = records === undefined && RESPONSE.test(text)
  const lines = isResponse ? responseLines : areGlued(text) ? objectLines : undefined
  const whole = withHead(head, source)
  return lines && derivedBytes(Readable.from(lines(whole), { objectMode: false }), whole)
}

/** True when an object follows another one without white space, as Amazon Data Firehose stores them. */
function areGlued(text: string): boolean {
  const from = text.search(/\S/)
  const end = text[from] === '{' ? containerEnd(text, from) : -1
  // More of an object of several lines may be unread.
  return end !== -1 && text[end] === '{' && !text.slice(from, end).includes('\n')
}

/** Yields the objects of a source with a line end between objects that follow one another without one. */
async function* objectLines(source: ByteSource): AsyncGenerator<Buffer> {
  let inString = false
  let isEscaped = false
  let before = 0
  for await (const chunk of chunksOf(source)) {
    // A chunk for each object would cost more than its events.
    const lines = Buffer.allocUnsafe(chunk.length * 2)
    let length = 0
    for (const byte of chunk) {
      if (isEscaped) isEscaped = false
      // Strings have no line ends: an object that is malformed ends here.
      else if (byte === LINE_FEED) inString = false
      else if (inString && byte === BACKSLASH) isEscaped = true
      else if (byte === QUOTE) inString = !inString
      // Within an object, something is between two such braces.
      else if (byte === OPEN_BRACE && before === CLOSE_BRACE && !inString) {
        lines[length++] = LINE_FEED
      }
      lines[length++] = byte
      before = byte
    }
    yield lines.subarray(0, length)
  }
}

/** A longer response remains as it is: all of its lines are in memory while they are sorted. */
const MAX_RESPONSE = 256 * 1024 * 1024

/**
 * Yields the lines of a response as `logcli` prints them, with the labels of each, from the oldest to the latest, so that the lines of
 * each program are read in their format. A document that is no such response remains as it is.
 */
async function* responseLines(source: ByteSource): AsyncGenerator<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of chunksOf(source)) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > MAX_RESPONSE) yield* chunks.splice(0)
  }
  if (bytes > MAX_RESPONSE) return
  const document = Buffer.concat(chunks)
  const { data, results } = objectOf(parseJson(document.toString()))
  const found = data === undefined ? rowLines(results) : streamLines(objectOf(data).result)
  yield found === undefined ? document : Buffer.from(found.join(''))
}

/** Returns the lines of Loki's streams: the labels of each, and arrays of nanoseconds, a text and perhaps further labels. */
function streamLines(streams: unknown): readonly string[] | undefined {
  if (!Array.isArray(streams)) return undefined
  const rows = streams.map(objectOf).flatMap(({ stream, values }) =>
    (Array.isArray(values) ? values : [undefined]).map((value) => {
      const [time, text, more] = Array.isArray(value) ? value : []
      const labels = { ...objectOf(stream), ...objectOf(more) }
      return [/^\d{1,19}$/.test(time) ? BigInt(time) : undefined, text, labels] as const
    }),
  )
  return labeledLines(rows)
}

/** Returns the rows of CloudWatch Logs Insights, which are arrays of fields: lines if each has a message, and objects otherwise. */
function rowLines(rows: unknown): readonly string[] | undefined {
  if (!Array.isArray(rows) || !rows.every(Array.isArray)) return undefined
  const objects: readonly JsonObject[] = rows.map((row: readonly unknown[]) => {
    const fields = row.map(objectOf)
    return Object.fromEntries(
      fields.map(({ field, value }) => [String(field).replace(/^@/, ''), value]),
    )
  })
  const found = objects.map(({ timestamp, message, ...labels }) => {
    const time = parseTimestamp(`${String(timestamp).replace(' ', 'T')}Z`)
    return [time, message, labels] as const
  })
  return labeledLines(found) ?? objects.map((object) => `${JSON.stringify(object)}\n`)
}

type LabeledLine = readonly [time: bigint | undefined, text: unknown, labels: JsonObject]

/** Returns lines in the order of their times; undefined when one has no time or no text. */
function labeledLines(lines: readonly LabeledLine[]): readonly string[] | undefined {
  const known = lines.flatMap(([time, text, labels]) =>
    time !== undefined && typeof text === 'string' ? [{ time, text, labels }] : [],
  )
  if (known.length < lines.length) return undefined
  const ascending = known.sort((a, b) => Number(a.time - b.time))
  return ascending.map(({ time, text, labels }) => {
    const pairs = Object.entries(labels).map(
      ([name, value]) => `${name}=${JSON.stringify(`${value}`)}`,
    )
    const head = `${formatTimestamp(time)} {${pairs.join(', ')}} `
    return `${text.trimEnd().replaceAll(/^/gm, () => head)}\n`
  })
}
