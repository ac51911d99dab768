import type { Command } from 'commander'
import { UsageError } from '../../../error/usage-error.js'
import { parseOption } from '../../../option/line-pattern.js'
import { collect } from '../../../option/option.js'
import type { Environment } from '../../../settings/config.js'
import { inputFormatOption } from '../../ingest/option/line-format.js'
import {
  checkParse,
  csvFieldsOption,
  delimiterOption,
  type IngestOptions,
  labelOption,
  multilineOption,
  withoutAuto,
} from '../../ingest/option/options.js'
import { checkTimeFlags, yearOption } from '../../ingest/option/year.js'

/** The flags of `evq query` for events that it reads from files or standard input. */
export interface InputFlags
  extends Pick<
    IngestOptions,
    | 'recursive'
    | 'inputFormat'
    | 'parse'
    | 'timestampField'
    | 'timestampFormat'
    | 'timezone'
    | 'year'
    | 'label'
    | 'multiline'
    | 'sourceFields'
    | 'csvFields'
    | 'delimiter'
  > {
  /** Files, patterns of files, or `-`. */
  readonly input?: readonly string[]
}

/** Adds the flags for reading events to a command. They are those of `evq ingest`. */
export function addInputOptions(command: Command, env: Environment): Command {
  return command
    .optionsGroup('Input options (for a query that starts with an operator, or with `file(…)`):')
    .option(
      '-i, --input <file>',
      "read events from a file; can be repeated, 'logs/*.gz' names several, `-` is standard input",
      collect,
    )
    .addOption(inputFormatOption(env, '--input-format <format>'))
    .addOption(parseOption('the layout of lines; see `evq help patterns`'))
    .option('-r, --recursive', 'read the files in directories, except hidden ones')
    .option('--timestamp-field <field>', 'the field with the event time, auto or none')
    .option('--timestamp-format <layout>', 'its format, as a Go layout: 2006-01-02 15:04:05')
    .addOption(yearOption())
    .addOption(labelOption())
    .addOption(multilineOption())
    .option('--source-fields', 'add _file, _line and _offset to each event')
    .addOption(csvFieldsOption('--csv-fields <names>'))
    .addOption(delimiterOption('--delimiter <character>'))
}

/** Returns the options of `evq ingest` that read events in the same way. Throws a `UsageError` when they contradict each other. */
export function readingOptions(flags: InputFlags): Omit<IngestOptions, 'dataset' | 'files'> {
  const { timestampField, timestampFormat, timezone, year, ...others } = flags
  const zone = timestampField ?? timestampFormat
  const options = withoutAuto({
    ...pick(others),
    ...(timestampField !== undefined && { timestampField }),
    ...(timestampFormat !== undefined && { timestampFormat }),
    ...(year !== undefined && { year }),
    // The zone is also that of the output, so it is no contradiction where times need none.
    ...(timezone !== undefined && (zone === undefined || zone.includes(',')) && { timezone }),
  })
  checkTimeFlags(options)
  checkParse(options)
  return options
}

function pick({
  recursive,
  inputFormat,
  parse,
  label,
  multiline,
  sourceFields,
  csvFields,
  delimiter,
}: InputFlags): Partial<IngestOptions> {
  return {
    ...(recursive !== undefined && { recursive }),
    ...(inputFormat !== undefined && { inputFormat }),
    ...(parse !== undefined && { parse }),
    ...(label !== undefined && { label }),
    ...(multiline !== undefined && { multiline }),
    ...(sourceFields !== undefined && { sourceFields }),
    ...(csvFields !== undefined && { csvFields }),
    ...(delimiter !== undefined && { delimiter }),
  }
}

const NAMES: Readonly<Record<string, string>> = {
  inputFormat: '--input-format',
  parse: '--parse',
  recursive: '--recursive',
  timestampField: '--timestamp-field',
  timestampFormat: '--timestamp-format',
  year: '--year',
  label: '--label',
  multiline: '--multiline',
  sourceFields: '--source-fields',
  csvFields: '--csv-fields',
  delimiter: '--delimiter',
}

/** Throws a `UsageError` when a flag for reading events is given and the query reads none. */
export function refuseInputFlags(flags: InputFlags): void {
  const [name] = Object.entries(NAMES).flatMap(([key, flag]) =>
    flags[key as keyof InputFlags] === undefined ? [] : [flag],
  )
  const flag = flags.input === undefined ? name : '--input'
  if (flag === undefined) return
  throw new UsageError(
    `\`${flag}\` is for a query that reads files, and this one starts with a dataset. Start it with an operator, as in \`evq query -i app.log "where level == 'error'"\`, or with \`file('app.log')\`.`,
  )
}
