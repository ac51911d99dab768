import { isBlank, LINE_FEED } from '../../text/bytes.js'
import { ByteWriter } from '../../wire/bytes/byte-writer.js'
import { csvLines } from '../../wire/csv/csv.js'
import type { Batch, RefusedRows } from '../batch.js'
import type { SpareBuffers } from '../buffer-pool.js'
import { eventExtents, headLength } from '../events.js'
import { sourcesOf } from '../locate.js'
import { ensureUtf8 } from '../log/event-text.js'
import type { Rewriter } from './edit.js'
import { INVALID, LineRewriter, type LineRule, unchanged } from './line-rewriter.js'

let lineRewriter: LineRewriter | undefined

/** Shared by all inputs: the bytes of one call are rewritten at a time. */
function sharedRewriter(): LineRewriter {
  lineRewriter ??= new LineRewriter()
  return lineRewriter
}

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
  const { marks, untimed } = rewriteLines(lines.bytes, { rewrite, writer })
  const body = writer.written
  const { rule } = rewrite
  // The bytes of an input are restored for messages only, so that their memory serves the next batch at once.
  const restored = batch.source === undefined && lines.bytes === batch.body ? rule : undefined
  if (restored !== undefined) batch.release()
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
      sources ??= sourcesOf(restored ? { ...batch, body: original(body, marks, restored) } : batch)
      return { ...(sources(index) ?? missing), event: body.subarray(from, to) }
    },
    release() {
      spare.give(writer.bytes)
      if (restored === undefined) batch.release()
    },
    refused: lines.refused,
    untimed,
  }
}

interface Lines {
  /** One event per line. */
  readonly bytes: Buffer
  readonly refused?: RefusedRows
}

/** Converts rows to JSON; a row that does not match the header becomes a string, which the service rejects. */
function rowLines(batch: Batch): Lines | undefined {
  const { lines: bytes, rows, failures } = csvLines(batch.body, { delimiter: ',', ...batch.csv })
  if (rows !== batch.events) return undefined
  if (failures.length === 0) return { bytes }
  const extents = eventExtents(batch)
  const lines = bytes.toString('latin1').split('\n')
  for (const { index, line } of failures) {
    const { from, to } = extents[index]!
    const row = batch.body.toString('latin1', from, to)
    lines[line - 1] = JSON.stringify(ensureUtf8(row))
  }
  return {
    bytes: Buffer.from(lines.join('\n'), 'latin1'),
    refused: {
      reasons: new Map(failures.map(({ index, reason }) => [index, reason])),
      head: batch.body.toString('utf8', 0, headLength(batch)),
      csv: batch.csv,
    },
  }
}

/** For each line, the mark of a change by a rule, 0 for no change, or the bytes before other changes. */
type Marks = readonly (number | Buffer)[]

function rewriteLines(
  bytes: Buffer,
  { rewrite, writer }: { readonly rewrite: Rewriter; readonly writer: ByteWriter },
): { readonly marks: Marks; readonly untimed: Batch['untimed'] } {
  const editor = rewrite(bytes)
  const { rule, invalidTimes = () => 0 } = rewrite
  const lines = rule && sharedRewriter().begin(rule, bytes)
  const marks: (number | Buffer)[] = []
  let index = 0
  let first: number | undefined
  let events = 0
  for (let from = 0; from < bytes.length; ) {
    if (lines !== undefined) {
      const rewritten = lines.rewrite(from)
      writer.addBytes(rewritten.bytes)
      for (const mark of rewritten.marks) {
        marks.push(mark)
        if (mark & INVALID) {
          first ??= index
          events++
        }
        index++
      }
      from = rewritten.end
      if (!rewritten.isStopped || from === bytes.length) continue
    }
    const newline = bytes.indexOf(LINE_FEED, from)
    const to = newline === -1 ? bytes.length : newline
    const invalid = invalidTimes()
    const edits = isBlank(bytes, from, to) ? undefined : editor({ from, to }, index++)
    if (invalidTimes() > invalid) {
      first ??= index - 1
      events++
    }
    let copied = from
    for (const edit of edits ?? []) {
      writer.addBytes(bytes, copied, edit.from)
      writer.addLatin1(edit.text)
      copied = edit.to
    }
    if (lines !== undefined) marks.push(edits?.length ? Buffer.from(bytes.subarray(from, to)) : 0)
    from = newline === -1 ? to : to + 1
    writer.addBytes(bytes, copied, from)
  }
  return { marks, untimed: first === undefined ? undefined : { first, events } }
}

/** Returns bytes as they were before they were rewritten by a rule. */
function original(changed: Buffer, marks: Marks, rule: LineRule): Buffer {
  const bytes = new ByteWriter(changed.length)
  let from = 0
  for (const mark of marks) {
    const newline = changed.indexOf(LINE_FEED, from)
    const to = newline === -1 ? changed.length : newline
    const line = changed.subarray(from, to)
    if (typeof mark !== 'number') bytes.addBytes(mark)
    else bytes.addBytes(mark === 0 ? line : unchanged(rule, line, mark))
    if (newline !== -1) bytes.addLineFeed()
    from = to + 1
  }
  return bytes.written
}
