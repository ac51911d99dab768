import type { Batch } from '../../../input/batch.js'
import { batches } from '../../../input/batches.js'
import { BufferPool } from '../../../input/buffer-pool.js'
import { InputError } from '../../../input/error.js'
import { detectInput, type Input } from '../../../input/input.js'
import { EventText } from '../../../input/log/event-text.js'
import { openFile, openStandardInput } from '../../../input/open.js'
import { escapeControls } from '../../../render/escape-controls.js'
import { cutText } from '../../../render/fit-text.js'
import { writeText } from '../../../render/write.js'
import { counted, formatInteger } from '../../../text/integer.js'
import { type Context, clock } from '../../context.js'
import { CommandError } from '../../error/command-error.js'
import { EXIT, type ExitCode } from '../../exit-code.js'
import { InputNotes } from '../../ingest/report/input-notes.js'
import { lineFormat, type SavedFormat } from '../../settings/saved-formats.js'
import { listenForInterrupt } from '../../terminal/interrupt.js'

const MAX_SHOWN = 3
const BATCH_BYTES = 1024 * 1024
const BATCH_EVENTS = 10_000
const MAX_LINE_WIDTH = 200

/** A record of the file, and the JSON of its event. */
interface TestedRecord {
  readonly line: number
  readonly text: string
  readonly event: string
}

interface TestResult {
  events: number
  unmatched: number
  readonly matching: TestedRecord[]
  readonly others: TestedRecord[]
}

/** `evq format test`: reads a file in a format and reports the events and the lines that do not match. */
export async function testFormat(
  format: SavedFormat,
  file: string,
  context: Context,
): Promise<ExitCode> {
  const { io } = context
  const interrupt = listenForInterrupt()
  const notes = new InputNotes()
  const result: TestResult = { events: 0, unmatched: 0, matching: [], others: [] }
  try {
    const { signal } = interrupt
    const opened = file === '-' ? openStandardInput(io.stdin, signal) : await openFile(file, signal)
    try {
      const input = await detectInput(opened, {
        format: 'text',
        lineFormat: lineFormat(format),
        now: clock(io),
      })
      const limits = {
        pool: new BufferPool(BATCH_BYTES),
        maxEvents: BATCH_EVENTS,
        flushMs: 1000,
        signal,
      }
      for await (const item of batches(input, limits)) {
        if (item.kind !== 'batch') continue
        notes.add(item)
        addBatch(item, input, result)
        item.release()
      }
    } finally {
      await opened.bytes.close()
    }
    if (interrupt.exitCode() !== undefined) return interrupt.exitCode()!
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    throw new CommandError(error.message)
  } finally {
    interrupt.release()
  }
  await writeText(io.stdout, io.stdout.isTTY === true ? resultText(result) : resultRecords(result))
  for (const line of notes.readingLines()) context.info(line)
  context.info(summary(format.name, result))
  return result.events > 0 && result.events === result.unmatched ? EXIT.failed : EXIT.done
}

function addBatch(batch: Batch, { framing }: Input, result: TestResult): void {
  result.events += batch.events
  result.unmatched += batch.unmatched?.events ?? 0
  if (result.matching.length >= MAX_SHOWN && result.others.length >= MAX_SHOWN) return
  const event = new EventText()
  for (let index = 0; index < batch.events; index++) {
    const { text, line = 0 } = batch.source!(index)
    const record = text.toString('latin1')
    const isMatch = framing.conversion!.read(record, event) === undefined
    const json = Buffer.from(event.take(), 'latin1').toString()
    const tested = { line, text: text.toString(), event: json }
    const list = isMatch ? result.matching : result.others
    if (list.length < MAX_SHOWN) list.push(tested)
  }
}

function* resultText({ matching, others }: TestResult): Iterable<string> {
  for (const { line, text, event } of matching) {
    yield `Line ${formatInteger(line)}: ${shown(text)}\n`
    const fields = Object.entries(JSON.parse(event) as Readonly<Record<string, unknown>>)
    const width = Math.max(...fields.map(([name]) => name.length))
    for (const [name, value] of fields) {
      const written = typeof value === 'string' ? value : JSON.stringify(value)
      yield `  ${escapeControls(name.padEnd(width))}  ${shown(written)}\n`
    }
    yield '\n'
  }
  if (others.length > 0) yield 'Lines that do not match:\n'
  for (const { line, text } of others) yield `  Line ${formatInteger(line)}: ${shown(text)}\n`
}

function* resultRecords({ matching, others }: TestResult): Iterable<string> {
  for (const { line, text, event } of matching) {
    yield `{"kind":"event","line":${line},"text":${JSON.stringify(text)},"event":${event}}\n`
  }
  for (const { line, text } of others) {
    yield `{"kind":"unmatched","line":${line},"text":${JSON.stringify(text)}}\n`
  }
}

function shown(text: string): string {
  return cutText(escapeControls(text), MAX_LINE_WIDTH)
}

function summary(name: string, { events, unmatched }: TestResult): string {
  if (events === 0) return `${name}: the file has no events`
  const share = Math.floor(((events - unmatched) * 1000) / events) / 10
  return `${name}: ${formatInteger(events - unmatched)} of ${counted(events, 'event')} match (${share} %)`
}
