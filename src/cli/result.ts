// What every command does with a result.
import { selectColumns } from '../render/columns.js'
import { type Format, render } from '../render/render.js'
import { fitsWidth } from '../render/table.js'
import { closest } from '../text/suggest.js'
import type { Table, TabularResult } from '../wire/query.js'
import { usesColor } from './color.js'
import type { Context } from './context.js'
import { EXIT, type ExitCode } from './exit-code.js'
import { describeStats, summarize } from './query/summary.js'
import { UsageError } from './usage-error.js'

/** The flags that say how a result is printed. */
export interface PrintFlags {
  readonly output?: Format
  /** Names with commas between them. */
  readonly columns?: string
  readonly header?: boolean
  readonly stats?: boolean
  readonly strict?: boolean
}

/** Writes a result's rows on standard output: a table on a terminal, else NDJSON, unless a format is asked for. */
export async function printResult(
  { tables }: Pick<TabularResult, 'tables'>,
  { output, columns, header = true }: PrintFlags,
  { io, flags, say }: Context,
): Promise<void> {
  const isTerminal = io.stdout.isTTY === true
  const shown = columns === undefined ? tables : select(tables, columns)
  let format = output ?? (isTerminal ? 'table' : 'ndjson')
  const width = isTerminal ? io.stdout.columns : undefined
  if (isForReading(format) && countRows(tables) === 0) return
  if (format === 'table' && !fitsWidth(shown, width)) {
    format = 'record'
    say(
      `The columns do not fit in ${width}, so each row is a record. \`--columns a,b\` picks some.`,
    )
  }
  const color = usesColor(io.stdout, flags(), io.env)
  await render(shown, { format, header, color, isTerminal, width }, io.stdout)
}

function select(tables: readonly Table[], names: string): readonly Table[] {
  const wanted = names.split(',').map((name) => name.trim())
  const known = [...new Set(tables.flatMap(({ fields }) => fields.map(({ name }) => name)))]
  const unknown = wanted.find((name) => !known.includes(name))
  if (unknown !== undefined && tables.length > 0) {
    const near = closest(unknown, known)
    const help = near === undefined ? `It has ${known.join(', ')}` : `\`${near}\` is close`
    throw new UsageError(`The result has no column \`${unknown}\`. ${help}.`)
  }
  return tables.map((table) => selectColumns(table, wanted))
}

/** Says what is to be said about a result besides its rows; returns what the command ends with. */
export function concludeResult(
  { status, tables }: TabularResult,
  { isRecent, stats, strict }: PrintFlags & { readonly isRecent: boolean },
  context: Context,
): ExitCode {
  const messages = status.messages ?? []
  for (const { msg } of messages) if (msg !== '') context.note(msg)
  if (status.isPartial)
    context.note('The result is partial: the service could not examine all of it.')
  if (stats) for (const line of describeStats(status)) context.note(line)
  context.say(summarize(status, { rows: countRows(tables), isRecent }))
  const isCut = strict === true && messages.some(({ code }) => code.includes('limit'))
  return status.isPartial || isCut ? EXIT.incomplete : EXIT.done
}

function countRows(tables: readonly Table[]): number {
  return tables.reduce((sum, { columns }) => sum + (columns[0]?.length ?? 0), 0)
}

function isForReading(format: Format): boolean {
  return format === 'table' || format === 'record'
}
