import type { Batch, InputEnd, UnsendableEvent } from '../../../../input/batch.js'
import { type BatchOptions, batches } from '../../../../input/batches.js'
import { InputError } from '../../../../input/error.js'
import { expandGlob } from '../../../../input/glob.js'
import { detectInput, type Input } from '../../../../input/input.js'
import type { Context } from '../../../context.js'
import { CommandError } from '../../../error/command-error.js'
import type { ReadingFlags } from '../../ingest/option/reading-flags.js'
import { guessNotice, zoneNotice } from '../../ingest/read/format-name.js'
import { inputNames, openInput, readOptions } from '../../ingest/read/inputs.js'
import type { ReadingProgress } from './progress.js'
import { firstDivided, projectorOf, reduced } from './reduce.js'
import type { Unread } from './unread.js'

/** The inputs to read, and how. */
export interface InputReaderOptions {
  readonly reading: ReadingFlags
  readonly context: Context
  readonly limits: BatchOptions
  readonly unread: Unread
  /** The fields that are needed; by default all. Others may be missing from the events. */
  readonly fields?: readonly string[] | undefined
  /** Called with the names of fields that are left out, as far as the first events show them. */
  readonly omitted?: ((names: readonly string[]) => void) | undefined
  readonly progress?: ReadingProgress | undefined
  /** Called at the end of a file, with the position up to which it was read. */
  readonly onEnd?: ((input: Input, end: InputEnd) => void) | undefined
  /** Aborted when reading stops. */
  readonly signal: AbortSignal
}

/** Yields the events of files one file after the other. A file that can't be read is reported, and the others are read. */
export async function* readFiles(
  files: readonly string[],
  {
    reading,
    limits,
    unread,
    fields,
    omitted,
    progress,
    onEnd,
    signal,
    ...options
  }: InputReaderOptions,
): AsyncGenerator<Batch | UnsendableEvent | InputEnd> {
  const context = progress?.context ?? options.context
  const read = readOptions({ ...reading, dataset: '', files }, context)
  for await (const file of inputNames({ ...reading, files }, context)) {
    if (signal.aborted) return
    try {
      const found = await openInput(file, context, signal)
      const opened = progress?.count(found) ?? found
      try {
        const input = await detectInput(opened, read)
        for (const text of [guessNotice(input, '--input-format'), zoneNotice(input, read)]) {
          if (text !== undefined) context.info(text)
        }
        const projector = fields && projectorOf(fields, { input, reading })
        const items = noted(batches(input, limits), (end) => onEnd?.(input, end))
        yield* projector === undefined
          ? firstDivided(items)
          : reduced(items, { projector, omitted })
      } finally {
        await opened.bytes.close()
      }
    } catch (error) {
      if (!(error instanceof InputError)) throw error
      unread.addInput(error.message)
    }
  }
}

/** Yields the same items, and calls a function at the end of the input. */
async function* noted<Item extends { readonly kind: string }>(
  items: AsyncIterable<Item | InputEnd>,
  onEnd: (end: InputEnd) => void,
): AsyncGenerator<Item | InputEnd> {
  for await (const item of items) {
    if (item.kind === 'end') onEnd(item as InputEnd)
    yield item
  }
}

/** Returns the files that patterns name. Throws a `CommandError` for a pattern without a file. */
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
