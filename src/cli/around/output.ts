import { isCopied, isRowFormat, type RowFormat, renderPieces } from '../../render/format.js'
import type { Table, TableField } from '../../wire/http/tabular-result.js'
import type { Context } from '../context.js'
import { UsageError } from '../error/usage-error.js'
import { checkColumns, shownTable } from '../output/columns.js'
import { formatOf, isOutputFile, isShown, type PrintFlags } from '../output/flags.js'
import { lookOf } from '../output/look.js'
import type { Printer } from '../output/printer.js'
import { eachOnce } from '../terminal/messages.js'
import { type EventFlags, eventPrinter, markedLines, SEPARATOR } from './event-printer.js'
import type { LiveEvent } from './live.js'
import { eventTable, MATCH_COLUMN, withMatchColumn, withMatchSign } from './table.js'

interface OutputOptions {
  readonly flags: PrintFlags
  /** Columns that are not printed. */
  readonly hidden: readonly string[]
  /** True when events are printed as they are found, unless the format needs all of them. */
  readonly isLive: boolean
  openPrinter(): Promise<Printer>
  readonly signal: AbortSignal
}

interface AroundOutput {
  add(fields: readonly TableField[], events: readonly LiveEvent[]): Promise<void>
  /** Prints the events that have not been printed yet. */
  finish(): Promise<void>
}

export function aroundOutput(options: OutputOptions, context: Context): AroundOutput {
  const { flags, hidden, isLive } = options
  const output = formatOf(flags)
  const isByEvent = output === undefined || output === 'ndjson' || output === 'record'
  return isLive && !isOutputFile(flags.out) && isByEvent
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

/**
 * Prints matches and the events around them at once. On a terminal, matches are marked and groups are separated by `--`; otherwise a
 * column distinguishes matches.
 */
function wholeOutput(
  { flags, hidden, openPrinter, signal }: OutputOptions,
  context: Context,
): AroundOutput {
  const { io } = context
  const format = passageFormat(flags)
  /** The format, unless it is for programs. */
  const shownFormat = format !== undefined && isCopied(format) ? undefined : format
  const isMarked = shownFormat === format && isShown(flags, io)
  /** Groups of consecutive events, each with at least one match. */
  const passages: LiveEvent[][] = []
  /** The columns of the matches. */
  const known = new Map<string, TableField>()

  function tableOf(events: readonly LiveEvent[]): Table {
    const table = eventTable(events, { fields: [...known.values()], hidden })
    const { columns, timezone } = flags
    const wanted = columns?.filter((name) => name !== MATCH_COLUMN)
    if (wanted) checkColumns([table], wanted)
    return shownTable(table, { columns, timezone, arrivalLast: true })
  }

  async function terminalPieces(): Promise<Iterable<string>> {
    const look = lookOf(io.stdout, context)
    const note = eachOnce(context.info)
    const pieces: string[] = []
    let before = 0
    for (const [number, events] of passages.entries()) {
      if (number > 0) pieces.push(SEPARATOR)
      const table = tableOf(events)
      if (shownFormat === undefined) pieces.push(...markedLines(table, events, look))
      else {
        const shown = { ...look, format: shownFormat, header: flags.header ?? true, note, before }
        pieces.push(...(await renderPieces([withMatchSign(table, events)], shown)))
      }
      before += events.length
    }
    return pieces
  }

  async function print(printer: Printer): Promise<void> {
    if (!isMarked) {
      const events = passages.flat()
      return await printer.printTables([withMatchColumn(tableOf(events), events)], signal)
    }
    const { writePaged } = await import('../output/pager.js')
    if (flags.pager !== false) return await writePaged({ io, pieces: terminalPieces, signal })
    const { writeText } = await import('../../render/write.js')
    await writeText(io.stdout, await terminalPieces())
  }

  return {
    async add(fields, events) {
      for (const field of fields) if (!known.has(field.name)) known.set(field.name, field)
      for (const event of events) {
        if (event.isApart || passages.length === 0) passages.push([])
        passages.at(-1)!.push(event)
      }
    },
    async finish() {
      const printer = await openPrinter()
      await print(printer).finally(printer.close)
    },
  }
}

/** Returns the chosen format; undefined by default. Throws a `UsageError` for a format that does not print rows. */
export function passageFormat(flags: PrintFlags): RowFormat | undefined {
  const format = formatOf(flags)
  if (format === undefined || isRowFormat(format)) return format
  throw new UsageError(`\`-o ${format}\` can't show the events around matches.`)
}
