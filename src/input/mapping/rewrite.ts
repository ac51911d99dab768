import { ByteWriter } from '../../wire/bytes/byte-writer.js'
import { lineFeeds } from '../../wire/bytes/line-feeds.js'
import { CsvLines } from '../../wire/csv/csv.js'
import type { Batch, UnmatchedRecords } from '../batch.js'
import { eventExtents } from '../events.js'
import { sourcesOf } from '../locate.js'
import { ensureUtf8 } from '../log/event-text.js'
import { isBlankIn } from '../log/multiline/event-lines.js'

/** Room for the members that are added to an event. */
const ADDED_BYTES = 48

/**
 * Returns a batch whose events are rewritten, one JSON object per line. A batch that cannot be divided into events is
 * returned unchanged, so that the service reports the error.
 */
export function rewriteBatch(
  batch: Batch,
  rewrite: (line: string, index: number) => string,
): Batch {
  const lines =
    batch.contentType === 'text/csv' ? rowLines(batch) : { text: batch.body.toString('latin1') }
  if (lines === undefined) return batch
  const { csv: _, ...rest } = batch
  const source = sourcesOf(batch)
  const body = rewritten(lines.text, { rewrite, events: batch.events })
  const contentType = 'application/x-ndjson'
  let extents: ReturnType<typeof eventExtents> | undefined
  return {
    ...rest,
    contentType,
    sourceType: batch.sourceType ?? batch.contentType,
    body,
    headLines: 0,
    source: (index) => {
      extents ??= eventExtents({ ...batch, contentType, body })
      const { from = 0, to = 0 } = extents[index] ?? {}
      const missing = { text: Buffer.alloc(0), offset: batch.start.offset }
      return { ...(source(index) ?? missing), event: body.subarray(from, to) }
    },
    unmatched: lines.unmatched ?? batch.unmatched,
  }
}

interface Lines {
  /** Latin1, with one event per line. */
  readonly text: string
  readonly unmatched?: UnmatchedRecords
}

/** Converts rows to JSON; a row that does not match the header becomes a `message`. */
function rowLines(batch: Batch): Lines | undefined {
  const extents = eventExtents(batch)
  if (extents.length !== batch.events) return undefined
  const csv = new CsvLines({ delimiter: ',', ...batch.csv })
  const text = Buffer.concat([csv.push(Buffer.from(batch.body)), csv.end()]).toString('latin1')
  if (csv.failures.length === 0)
    return { text: lineFeeds(text, 0, text.length) ? text : `${text}\n` }
  const lines = text.split('\n')
  for (const { index, line } of csv.failures) {
    const { from, to } = extents[index]!
    const row = batch.body.toString('latin1', from, to)
    lines[line - 1] = `{"message":${JSON.stringify(ensureUtf8(row))}}`
  }
  const [{ index, line, reason }] = csv.failures as [(typeof csv.failures)[0]]
  const { from, to } = extents[index]!
  const first = {
    line: batch.start.line + line - 1 - batch.headLines,
    reason,
    text: batch.body.toString('utf8', from, to).slice(0, 200),
  }
  return { text: lines.join('\n'), unmatched: { events: csv.failures.length, first } }
}

function rewritten(
  text: string,
  { rewrite, events }: { rewrite: (line: string, index: number) => string; events: number },
): Buffer {
  const body = new ByteWriter(text.length + events * ADDED_BYTES)
  let index = 0
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf('\n', at)
    const end = newline === -1 ? text.length : newline
    if (!isBlankIn(text, at, end)) {
      body.addLatin1(rewrite(text.slice(at, end), index))
      index += 1
    }
    if (newline !== -1) body.addLineFeed()
    at = end + 1
  }
  return body.written
}
