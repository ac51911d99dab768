import { extname } from 'node:path'
import { type Command, Option } from 'commander'
import { FORMAT_NAMES, FORMATS, type Format, ROW_FORMATS } from '../../render/format.js'
import { closest } from '../../text/suggest.js'
import { type TimeZone, timeZone } from '../../wire/time/time-zone.js'
import { UsageError } from '../error/usage-error.js'
import { choiceOption } from '../option/option.js'

/** The flags that say how a result is printed. */
export interface PrintFlags {
  readonly output?: OutputFormat
  /** A file to write instead of standard output. */
  readonly out?: string
  /** Names with commas between them. */
  readonly columns?: string
  readonly header?: boolean
  readonly timezone?: TimeZone
  readonly pager?: boolean
}

/** A format of this program's own, or the service's answer as it came. */
export type OutputFormat = Format | 'raw'

const OUTPUT_FORMATS: readonly OutputFormat[] = [...FORMAT_NAMES, 'raw']

const FORMAT_OF_EXTENSION: ReadonlyMap<string, Format> = new Map(
  FORMAT_NAMES.flatMap((format) =>
    FORMATS[format].extensions.map((extension) => [extension, format] as const),
  ),
)

/** Gives a command the flags that say how its result is printed. */
export function addPrintOptions(command: Command): Command {
  return addPagerOption(addFormatOptions(command, OUTPUT_FORMATS))
}

/** The same for a list of this program's own: nobody has answered it, and there is nothing to draw. */
export function addListOptions(command: Command): Command {
  return addPagerOption(addFormatOptions(command, ROW_FORMATS))
}

/** The same for an export, whose rows are printed as they come. */
export function addExportOptions(command: Command): Command {
  return addFormatOptions(command, ROW_FORMATS, OUTPUT_FORMATS)
}

function addFormatOptions(
  command: Command,
  formats: readonly OutputFormat[],
  known = formats,
): Command {
  return command
    .optionsGroup('How to print it:')
    .addOption(choiceOption('-o, --output <format>', formats.join(', '), formats, known))
    .option('-O, --out <file>', 'write a file, whole or not at all; its extension says the format')
    .option('--columns <names>', 'only these columns, in this order: a,b,c')
    .option('--no-header', 'tables, CSV and TSV without their first line')
    .addOption(timeZoneOption())
}

function addPagerOption(command: Command): Command {
  return command.option(
    '--no-pager',
    'write long answers to the terminal directly (EVQ_PAGER, PAGER)',
  )
}

/** The format asked for: by name, else by the file's extension; nothing when standard output decides. */
export function formatOf({ output, out }: PrintFlags): OutputFormat | undefined {
  if (output !== undefined || out === undefined || out === '-') return output
  const extension = extname(out).toLowerCase()
  const format = FORMAT_OF_EXTENSION.get(extension)
  if (format !== undefined) return format
  const known = [...FORMAT_OF_EXTENSION.keys()].join(', ')
  throw new UsageError(
    `The name \`${out}\` does not tell a format. \`-o\` says it, or one of ${known} at its end.`,
  )
}

/** `-z`: whose clocks times are shown by, and read from. */
export function timeZoneOption(): Option {
  const option = new Option(
    '-z, --timezone <zone>',
    'times as they are in Europe/Berlin, or +02:00',
  )
  return option.argParser((value: string) => {
    const name = value === 'local' ? Intl.DateTimeFormat().resolvedOptions().timeZone : value
    const zone = timeZone(name)
    if (zone !== undefined) return zone
    const near = closest(value, Intl.supportedValuesOf('timeZone'))
    const some = '`--timezone` takes `Europe/Berlin`, `+02:00`, `local` or `UTC`.'
    const help = near === undefined ? some : `Near: \`${near}\`.`
    throw new UsageError(`There is no timezone \`${value}\`. ${help}`)
  })
}
