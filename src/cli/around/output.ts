import type { TableField } from '../../wire/http/tabular-result.js'
import type { Context } from '../context.js'
import { formatOf, type PrintFlags } from '../output/flags.js'
import type { Printer } from '../output/printer.js'
import { type EventFlags, eventPrinter } from './event-printer.js'
import type { LiveEvent } from './live.js'
import { type Passage, printPassages } from './print.js'
import { eventTable } from './table.js'

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

/** Returns the output of matches and the events around them. */
export function aroundOutput(options: OutputOptions, context: Context): AroundOutput {
  const { flags, hidden, isLive } = options
  const output = formatOf(flags)
  const isDirect = flags.out === undefined || flags.out === '-'
  const isByEvent = output === undefined || output === 'ndjson' || output === 'record'
  return isLive && isDirect && isByEvent
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
        await printPassages(passages satisfies readonly Passage[], shown, context)
      } finally {
        await printer.close()
      }
    },
  }
}
