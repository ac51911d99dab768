import { isBlank, LINE_FEED } from '../../text/bytes.js'
import { ByteWriter } from '../../wire/bytes/byte-writer.js'
import { CsvLines } from '../../wire/csv/csv.js'
import type { Batch, UnmatchedRecords } from '../batch.js'
import { eventExtents } from '../events.js'
import { sourcesOf } from '../locate.js'
import { ensureUtf8 } from '../log/event-text.js'
import type { Rewriter } from './edit.js'

/** Room for the members that are added to an event. */
const ADDED_BYTES = 48

/**
 * Returns a batch whose events are rewritten, one JSON object per line. A batch that cannot be divided into events is
 * returned unchanged, so that the service reports the error.
 */
export function rewriteBatch(batch: Batch, rewrite: Rewriter): Batch {
  const lines: Lines | undefined =
    batch.contentType === 'text/csv' ? rowLines(batch) : { bytes: batch.body }
  if (lines === undefined) return batch
  const { csv: _, ...rest } = batch
  const source = sourcesOf(batch)
  const body = rewritten(lines.bytes, { rewrite, events: batch.events })
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
  /** One event per line. */
  readonly bytes: Buffer
  readonly unmatched?: UnmatchedRecords
}

/** Converts rows to JSON; a row that does not match the header becomes a `message`. */
function rowLines(batch: Batch): Lines | undefined {
  const extents = eventExtents(batch)
  if (extents.length !== batch.events) return undefined
  const csv = new CsvLines({ delimiter: ',', ...batch.csv })
  const bytes = Buffer.concat([csv.push(Buffer.from(batch.body)), csv.end()])
  if (csv.failures.length === 0)
    return { bytes: bytes.includes(LINE_FEED) ? bytes : Buffer.concat([bytes, Buffer.from('\n')]) }
  const lines = bytes.toString('latin1').split('\n')
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
  return {
    bytes: Buffer.from(lines.join('\n'), 'latin1'),
    unmatched: { events: csv.failures.length, first },
  }
}

function rewritten(
  bytes: Buffer,
  { rewrite, events }: { readonly rewrite: Rewriter; readonly events: number },
): Buffer {
  const body = new ByteWriter(bytes.length + events * ADDED_BYTES)
  const editor = rewrite(bytes)
  let index = 0
  let copied = 0
  for (let from = 0; from < bytes.length; ) {
    const newline = bytes.indexOf(LINE_FEED, from)
    const to = newline === -1 ? bytes.length : newline
    if (!isBlank(bytes, from, to)) {
      for (const edit of editor({ from, to }, index)) {
        body.addBytes(bytes, copied, edit.from)
        body.addLatin1(edit.text)
        copied = edit.to
      }
      index += 1
    }
    from = to + 1
  }
  body.addBytes(bytes, copied)
  return body.written
}
