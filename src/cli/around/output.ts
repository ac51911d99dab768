import { factsOf, isRowFormat, type RowFormat, renderPieces } from '../../render/format.js'
import type { Table, TableField } from '../../wire/http/tabular-result.js'
import type { Context } from '../context.js'
import { UsageError } from '../error/usage-error.js'
import { checkColumns, columnNames, shownTable } from '../output/columns.js'
import { formatOf, isFile, type PrintFlags } from '../output/flags.js'
import { lookOf } from '../output/look.js'
import type { Printer } from '../output/printer.js'
import { eachOnce } from '../terminal/messages.js'
import { type EventFlags, eventPrinter, markedLines, SEPARATOR } from './event-printer.js'
import type { LiveEvent } from './live.js'
import {
  eventTable,
  MATCH_COLUMN,
  type ShownEvent,
  withMatchColumn,
  withMatchSign,
} from './table.js'

interface OutputOptions {
  readonly flags: PrintFlags
  /** Columns that are not printed. */
  readonly hidden: readonly string[]
  /** True when events are printed as they are found, unless the format needs all of them. */
  readonly isLive: boolean
  openPrinter(): Promise<Printer>
  readonly signal: AbortSignal
}

export interface AroundOutput {
  add(fields: readonly TableField[], events: readonly LiveEvent[]): Promise<void>
  /** Prints the events that have not been printed yet. */
  finish(): Promise<void>
}

export function aroundOutput(options: OutputOptions, context: Context): AroundOutput {
  const { flags, hidden, isLive } = options
  const output = formatOf(flags)
  const isByEvent = output === undefined || output === 'ndjson' || output === 'record'
  return isLive && !isFile(flags.out) && isByEvent
    ? liveOutput({ ...flags, output, hidden } as EventFlags, context)
    : wholeOutput(options, context)
}

function liveOutput(flags: EventFlags, context: Context): AroundOutput {
  const print = eventPrinter(flags, context)
  return {
    async add(fields, events) {
      if (events.length > 0) await print(eventTable(events, { fields, hidden: [] }), events)
    },
    finish: async () => {},
  }
}

function wholeOutput(options: OutputOptions, context: Context): AroundOutput {
  const passages: LiveEvent[][] = []
  const known = new Map<string, TableField>()
  return {
    async add(fields, events) {
      for (const field of fields) if (!known.has(field.name)) known.set(field.name, field)
      for (const event of events) {
        if (event.isApart || passages.length === 0) passages.push([])
        passages.at(-1)!.push(event)
      }
    },
    async finish() {
      const { flags, hidden, signal, openPrinter } = options
      const printer = await openPrinter()
      const shown = { flags, fields: [...known.values()], hidden, printer, signal }
      try {
        await printPassages(passages, shown, context)
      } finally {
        await printer.close()
      }
    },
  }
}

/** Consecutive events with at least one match. */
type Passage = readonly ShownEvent[]

interface PassageOptions extends Pick<OutputOptions, 'flags' | 'hidden' | 'signal'> {
  /** The columns of the matches. */
  readonly fields: readonly TableField[]
  readonly printer: Printer
}

/** Returns the chosen format; undefined by default. Throws a `UsageError` for a format that does not print rows. */
export function passageFormat(flags: PrintFlags): RowFormat | undefined {
  const format = formatOf(flags)
  if (format === undefined) return undefined
  if (isRowFormat(format)) return format
  throw new UsageError(`\`-o ${format}\` can't show the events around matches.`)
}

/**
 * Prints matches and the events around them. On a terminal, matches are marked and groups are separated by `--`; otherwise a column
 * distinguishes matches.
 */
async function printPassages(
  passages: readonly Passage[],
  options: PassageOptions,
  context: Context,
): Promise<void> {
  const { flags, printer, signal } = options
  const { stdout } = context.io
  const format = passageFormat(flags)
  const isTerminal = stdout.isTTY === true && !isFile(flags.out)
  const isRead = format === undefined || factsOf(format).isForReading
  if (!isTerminal || !isRead) {
    const events = passages.flat()
    const table = withMatchColumn(tableOf(events, options), events)
    return await printer.printTables([table], signal)
  }
  const pieces = () => terminalPieces(passages, options, context)
  const { writePaged } = await import('../output/pager.js')
  if (flags.pager !== false) return await writePaged({ io: context.io, pieces, signal })
  const { writeText } = await import('../../render/write.js')
  await writeText(stdout, await pieces())
}

async function terminalPieces(
  passages: readonly Passage[],
  options: PassageOptions,
  context: Context,
): Promise<Iterable<string>> {
  const format = passageFormat(options.flags)
  const look = lookOf(context.io.stdout, context)
  const note = eachOnce(context.info)
  const pieces: string[] = []
  let before = 0
  for (const [number, events] of passages.entries()) {
    if (number > 0) pieces.push(SEPARATOR)
    const table = tableOf(events, options)
    if (format === undefined) {
      pieces.push(...(await markedLines(table, events, look)))
    } else {
      const { header = true } = options.flags
      const shown = { ...look, format, header, note, before }
      pieces.push(...(await renderPieces([withMatchSign(table, events)], shown)))
    }
    before += events.length
  }
  return pieces
}

function tableOf(events: Passage, { fields, hidden, flags }: PassageOptions): Table {
  const table = eventTable(events, { fields, hidden })
  const { columns, timezone } = flags
  const wanted = columns && columnNames(columns).filter((name) => name !== MATCH_COLUMN)
  if (wanted) checkColumns([table], wanted)
  return shownTable(table, { columns, timezone, arrivalLast: true })
}
