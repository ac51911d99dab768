import { isBlank, LINE_FEED } from '../../text/bytes.js'
import { ByteWriter } from '../../wire/bytes/byte-writer.js'
import { CsvLines } from '../../wire/csv/csv.js'
import type { Batch, UnmatchedRecords } from '../batch.js'
import type { SpareBuffers } from '../buffer-pool.js'
import { eventExtents } from '../events.js'
import { sourcesOf } from '../locate.js'
import { ensureUtf8 } from '../log/event-text.js'
import type { Rewriter } from './edit.js'

/** Room for the members that are added to an event. */
const ADDED_BYTES = 48

/**
 * Returns a batch whose events are rewritten, one JSON object per line. Its body is taken from `spare`, and given back when
 * the batch is released. A batch that cannot be divided into events is returned unchanged, so that the service reports the
 * error.
 */
export function rewriteBatch(batch: Batch, rewrite: Rewriter, spare: SpareBuffers): Batch {
  const lines: Lines | undefined =
    batch.contentType === 'text/csv' ? rowLines(batch) : { bytes: batch.body }
  if (lines === undefined) return batch
  const { csv: _, ...rest } = batch
  const writer = new ByteWriter(spare.take(lines.bytes.length + batch.events * ADDED_BYTES))
  const changes = rewriteLines(lines.bytes, { rewrite, writer })
  const body = writer.written
  // The bytes of an input are restored for messages only, so that their memory serves the next batch at once.
  const isRestored = batch.source === undefined && lines.bytes === batch.body
  if (isRestored) batch.release()
  const contentType = 'application/x-ndjson'
  let sources: ReturnType<typeof sourcesOf> | undefined
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
      sources ??= sourcesOf(isRestored ? { ...batch, body: original(body, changes) } : batch)
      return { ...(sources(index) ?? missing), event: body.subarray(from, to) }
    },
    release() {
      spare.give(writer.bytes)
      if (!isRestored) batch.release()
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
  if (csv.failures.length === 0) return { bytes }
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

/** The changes of lines. */
interface Changes {
  /** The start of each change in the result, its end there, and the number of bytes that it replaced. */
  readonly positions: readonly number[]
  readonly replaced: Buffer
}

function rewriteLines(
  bytes: Buffer,
  { rewrite, writer }: { readonly rewrite: Rewriter; readonly writer: ByteWriter },
): Changes {
  const editor = rewrite(bytes)
  const positions: number[] = []
  const replaced = new ByteWriter(0)
  let index = 0
  let copied = 0
  for (let from = 0; from < bytes.length; ) {
    const newline = bytes.indexOf(LINE_FEED, from)
    const to = newline === -1 ? bytes.length : newline
    if (!isBlank(bytes, from, to)) {
      for (const edit of editor({ from, to }, index)) {
        writer.addBytes(bytes, copied, edit.from)
        positions.push(writer.size, writer.size + edit.text.length, edit.to - edit.from)
        writer.addLatin1(edit.text)
        replaced.addBytes(bytes, edit.from, edit.to)
        copied = edit.to
      }
      index += 1
    }
    from = to + 1
  }
  writer.addBytes(bytes, copied)
  return { positions, replaced: replaced.written }
}

/** Returns bytes as they were before they were changed. */
function original(changed: Buffer, { positions, replaced }: Changes): Buffer {
  const bytes = new ByteWriter(changed.length)
  let copied = 0
  let taken = 0
  for (let at = 0; at < positions.length; at += 3) {
    bytes.addBytes(changed, copied, positions[at])
    copied = positions[at + 1]!
    const end = taken + positions[at + 2]!
    bytes.addBytes(replaced, taken, end)
    taken = end
  }
  bytes.addBytes(changed, copied)
  return bytes.written
}
