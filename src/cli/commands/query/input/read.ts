import type { InputEnd, InputItem } from '../../../../input/batch.js'
import { type BatchOptions, batches } from '../../../../input/batches.js'
import { BufferPool } from '../../../../input/buffer-pool.js'
import { fileRange } from '../../../../input/byte-source.js'
import { InputError, inputLabel } from '../../../../input/error.js'
import { expandGlob } from '../../../../input/glob.js'
import { detectInput, type Input } from '../../../../input/input.js'
import type { LineTime } from '../../../../input/log/time/line-layout.js'
import { LINE_FEED } from '../../../../text/bytes.js'
import type { Context } from '../../../context.js'
import { CommandError } from '../../../error/command-error.js'
import type { ReadingFlags } from '../../../ingest/option/reading-flags.js'
import { inputNotices } from '../../../ingest/read/format-name.js'
import { inputNames, openInput, readOptions } from '../../../ingest/read/inputs.js'
import { timeText } from '../../../ingest/report/input-notes.js'
import { timeHint } from '../../../ingest/report/time-advice.js'
import { openedAhead } from './opened-ahead.js'
import type { ReadingProgress } from './progress.js'
import type { Unread } from './unread.js'

export interface InputReaderOptions {
  readonly reading: ReadingFlags
  readonly context: Context
  readonly limits: BatchLimits
  /** The threads that convert long logs; without them, this thread converts all logs. */
  readonly threads?: BatchOptions['threads']
  readonly unread: Pick<Unread, 'addInput'>
  /** The part of the first file that is read; by default the whole file. */
  readonly range?: LineRange | undefined
  readonly progress?: ReadingProgress | undefined
  /** True when the events are selected by time: a zone that is assumed for the times of lines is a notice then. */
  readonly selectsTime?: boolean
  /** Receives notices about formats; by default, they are messages. */
  readonly tell?: (text: string) => void
  /** Called when the format of a file is known. */
  readonly onInput?: ((input: Input) => void) | undefined
  /** Called at the end of a file, with the position up to which it was read. */
  readonly onEnd?: ((input: Input, end: InputEnd) => void) | undefined
  readonly signal: AbortSignal
}

/** The limits of a batch, with its size in bytes. */
interface BatchLimits extends Pick<BatchOptions, 'maxEvents' | 'flushMs' | 'isTailApart'> {
  readonly bytes: number
}

/** Whole lines of a file without compression. */
interface LineRange {
  /** The number of lines and of events in front of the range. */
  readonly before: { readonly lines: number; readonly events: number }
  /** Offsets in bytes. */
  readonly start: number
  readonly end: number
}

/** True for times without a zone that are read as UTC because no zone is set. */
function isInAssumedZone(time: LineTime): boolean {
  return time.kind === 'found' && !time.hasZone && time.zone === undefined
}

/** Yields the events of files one file after the other. A file that can't be read is reported, and the others are read. */
export async function* readFiles(
  files: AsyncIterable<string> | Iterable<string>,
  {
    reading,
    limits: { bytes, ...limits },
    threads,
    unread,
    range,
    progress,
    selectsTime,
    onInput,
    onEnd,
    signal,
    ...options
  }: InputReaderOptions,
): AsyncGenerator<InputItem> {
  const context = progress?.context ?? options.context
  const read = readOptions(reading, context)
  const batching = { ...limits, pool: new BufferPool(bytes), signal, threads }
  const tell = options.tell ?? ((text) => context.info(text))
  const noticeInput = inputNotices(read, { flag: '--input-format', tell })
  // A format without effect is no error: the query may not need times.
  const { timestampFormat: _, ...others } = reading
  const hintTime = timeHint(others, tell)
  let isUntimedTold = false
  let isZoneTold = false
  let place = range
  const open = async (file: string): Promise<Input> => {
    const found = await openInput(file, context, signal)
    const opened = progress?.count(found) ?? found
    return await detectInput(opened, read).catch(async (error: unknown) => {
      await opened.bytes.close()
      throw error
    })
  }
  for await (const { opening } of openedAhead(files, open, ({ bytes }) => bytes.close())) {
    if (signal.aborted) return
    try {
      const detected = await opening
      try {
        const input = place === undefined ? detected : inputInRange(detected, place)
        place = undefined
        onInput?.(input)
        noticeInput(input)
        for await (const item of batches(input, batching)) {
          if (item.kind === 'end') onEnd?.(input, item)
          else if (item.kind === 'batch') {
            hintTime(item)
            if (!isUntimedTold && item.lineTime && item.lineTime.kind !== 'found') {
              isUntimedTold = true
              tell(`${inputLabel(input.name)}: ${timeText(item.lineTime)}`)
            }
            if (!isZoneTold && selectsTime && item.lineTime && isInAssumedZone(item.lineTime)) {
              isZoneTold = true
              tell(`${inputLabel(input.name)}: ${timeText(item.lineTime)}; \`-z\` sets the zone.`)
            }
          }
          yield item
        }
      } finally {
        await detected.bytes.close()
      }
    } catch (error) {
      if (!(error instanceof InputError)) throw error
      unread.addInput(error.message)
    }
  }
}

function inputInRange(input: Input, { before, start, end }: LineRange): Input {
  const { name, framing, start: first } = input
  return {
    ...input,
    bytes: fileRange(name, { start, end }),
    framing: framing.restart(LINE_FEED),
    start: { offset: start, line: first.line + before.lines, event: before.events },
  }
}

/** Returns the files that match patterns. Throws a `CommandError` for a pattern that matches no file. */
export async function filesOf(patterns: readonly string[]): Promise<readonly string[]> {
  const files: string[] = []
  for (const pattern of patterns) {
    const found = pattern === '-' ? ['-'] : await expandGlob(pattern)
    if (found.length === 0) throw new CommandError(`No file matches \`${pattern}\`.`)
    files.push(...found)
  }
  return files
}

/** Throws a `CommandError` when no input can be read. */
export function checkReadable({ events, inputs: [first] }: Unread): void {
  if (events === 0 && first !== undefined) throw new CommandError(first)
}

/** Returns files, and with `--recursive` the files in directories. */
export async function filesIn(
  files: readonly string[],
  { recursive }: Pick<ReadingFlags, 'recursive'>,
  context: Pick<Context, 'info'>,
): Promise<readonly string[]> {
  const found: string[] = []
  for await (const file of inputNames({ files, recursive }, context)) found.push(file)
  return found
}
