import { extname } from 'node:path'
import type { Command } from 'commander'
import {
  FORMAT_NAMES,
  FORMATS,
  type Format,
  isRowFormat,
  ROW_FORMATS,
  type RowFormat,
} from '../../render/format.js'
import type { TimeZone } from '../../wire/time/time-zone.js'
import type { Io } from '../context.js'
import { UsageError } from '../error/usage-error.js'
import { choiceOption, namesOption } from '../option/option.js'
import { timeZoneOption } from '../option/time-zone.js'

export interface PrintFlags {
  readonly output?: OutputFormat
  /** A file to write instead of standard output. */
  readonly out?: string
  readonly columns?: readonly string[]
  readonly header?: boolean
  readonly timezone?: TimeZone
  readonly pager?: boolean
  /** True when `_sysTime` is the last column of tables and records on a terminal. */
  readonly arrivalLast?: boolean
}

/** A format of this program, Parquet, which the engine writes, or the unchanged response of the service. */
export type OutputFormat = Format | 'parquet' | 'raw'

const OUTPUT_FORMATS: readonly OutputFormat[] = [...FORMAT_NAMES, 'parquet', 'raw']

/** A format whose rows can be taken as they arrive. */
export type RowOutputFormat = RowFormat | 'parquet'

export function isRowOutput(format: OutputFormat): format is RowOutputFormat {
  return format === 'parquet' || isRowFormat(format)
}

const FORMAT_OF_EXTENSION: ReadonlyMap<string, OutputFormat> = new Map([
  ...FORMAT_NAMES.flatMap((format) =>
    FORMATS[format].extensions.map((extension) => [extension, format] as const),
  ),
  ['.parquet', 'parquet'] as const,
])

export function addPrintOptions(command: Command): Command {
  return addPagerOption(addFormatOptions(command, OUTPUT_FORMATS))
}

/** Adds the flags for a list that this program makes, without the formats for responses and charts. */
export function addListOptions(command: Command): Command {
  return addPagerOption(addFormatOptions(command, ROW_FORMATS))
}

/** Adds the flags for an export, whose rows are printed as they arrive. */
export function addExportOptions(command: Command): Command {
  return addFormatOptions(command, [...ROW_FORMATS, 'parquet'], OUTPUT_FORMATS)
}

function addFormatOptions(
  command: Command,
  formats: readonly OutputFormat[],
  known = formats,
): Command {
  return command
    .optionsGroup('Format:')
    .addOption(choiceOption('-o, --output <format>', formats.join(', '), formats, { known }))
    .option('-O, --out <file>', 'write to a file, whose extension selects the format')
    .addOption(namesOption('--columns <names>', 'print only these columns, in this order: a,b,c'))
    .option('--no-header', 'omit the header line of tables, CSV and TSV')
    .addOption(timeZoneOption('time zone: Europe/Berlin, +02:00, local (UTC)'))
}

function addPagerOption(command: Command): Command {
  return command.option('--no-pager', 'do not page long results (PAGER)')
}

/** True for the name of an output file; false for standard output, which `-` names too. */
export function isOutputFile(path: string | undefined): path is string {
  return path !== undefined && path !== '-'
}

/** True when the output is shown on a terminal. */
export function isShown({ out }: Pick<PrintFlags, 'out'>, { stdout }: Pick<Io, 'stdout'>): boolean {
  return stdout.isTTY === true && !isOutputFile(out)
}

/** Returns the format of `-o`, or of the file's extension; undefined when it depends on the kind of standard output. */
export function formatOf({ output, out }: PrintFlags): OutputFormat | undefined {
  if (output !== undefined || !isOutputFile(out)) return output
  const extension = extname(out).toLowerCase()
  const format = FORMAT_OF_EXTENSION.get(extension)
  if (format !== undefined) return format
  const known = [...FORMAT_OF_EXTENSION.keys()].join(', ')
  throw new UsageError(
    `The extension of \`${out}\` selects no format. Set one with \`-o\`, or use one of ${known}.`,
  )
}
