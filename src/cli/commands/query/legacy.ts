// `evq query --legacy` and `--format legacy`: the older request and response formats.

import { type Command, Option } from 'commander'
import type { Connection } from '../../../client/connection.js'
import type { ResultFormat } from '../../../client/query.js'
import type { ChunkedBuffer } from '../../../wire/bytes/chunked-buffer.js'
import { isDatasetName } from '../../../wire/http/dataset-name.js'
import {
  decodeLegacyResult,
  type LegacyResult,
  membersOf,
} from '../../../wire/http/legacy-result.js'
import { matchesTable, seriesTable, totalsTable } from '../../../wire/http/legacy-table.js'
import { MalformedResponseError } from '../../../wire/http/response-json.js'
import type { Table } from '../../../wire/http/tabular-result.js'
import type { JsonText } from '../../../wire/json/json-text.js'
import type { Io } from '../../context.js'
import { UsageError } from '../../error/usage-error.js'
import { choiceOption, flagName } from '../../option/option.js'
import type { TimeRange } from '../../option/time-range.js'
import { formatOf, type PrintFlags } from '../../output/flags.js'
import { countRows, type Printer, type PrintSummary } from '../../output/printer.js'
import { queryError } from '../../query/error.js'
import { queryText } from '../../query/query-text.js'
import type { RequestFlags, RowFlags } from '../../query/request-options.js'
import { parseFilter } from './filter.js'

export interface LegacyFlags {
  /** The format of the response to an APL query. */
  readonly format?: ResultFormat
  /** A dataset to query without APL. */
  readonly legacy?: string
  readonly filter?: readonly JsonText[]
}

export function addLegacyOptions(command: Command): Command {
  return command
    .optionsGroup('Legacy options:')
    .addOption(
      choiceOption('--format <form>', 'the format of the response: tabular, legacy', FORMS, {
        hint: '`--output` selects the format of the output.',
      }),
    )
    .option('--legacy <dataset>', 'query a dataset without APL; the query is then a JSON request')
    .addOption(
      new Option(
        '--filter <condition>',
        "for --legacy: 'status >= 500', 'host exists'; can be repeated",
      ).argParser((text: string, before: readonly JsonText[] = []) => [
        ...before,
        parseFilter(text),
      ]),
    )
}

const FORMS: readonly ResultFormat[] = ['tabular', 'legacy']

export interface LegacyRequest {
  readonly dataset: string
  readonly request: JsonText
  /** True when the result is wanted per time step. */
  readonly isStepwise: boolean
  /** True when the range is the default range. */
  readonly isRecent: boolean
}

type Flags = LegacyFlags & RequestFlags & RowFlags & Readonly<Record<string, unknown>>

/** Returns the request to the older endpoint; `undefined` for an APL query. Throws a `UsageError`. */
export async function legacyRequest(
  flags: Flags & { readonly apl?: string | undefined; readonly file?: string },
  options: { readonly range: TimeRange; readonly isRecent: boolean; readonly io: Io },
): Promise<LegacyRequest | undefined> {
  const { legacy: dataset, filter = [] } = flags
  if (dataset === undefined) {
    if (filter.length === 0) return undefined
    throw new UsageError('`--filter` requires `--legacy <dataset>`. In APL, use `where`.')
  }
  checkFlags(flags)
  if (!isDatasetName(dataset)) {
    throw new UsageError(`\`${dataset}\` is not a valid dataset name.`)
  }
  const isGiven = flags.apl !== undefined || flags.file !== undefined
  const given = isGiven
    ? requestMembers(await queryText(flags, options.io))
    : new Map<string, JsonText>()
  const isRecent = options.isRecent && !given.has('startTime') && !given.has('endTime')
  const range = options.isRecent === isRecent ? options.range : {}
  const members = new Map([...given, ...flagMembers(flags, range)])
  const filters = [...memberOf(given, 'filter'), ...filter]
  const [only] = filters
  if (only !== undefined) {
    members.set('filter', filters.length === 1 ? only : `{"op":"and","children":[${filters}]}`)
  }
  return { dataset, request: objectText(members), isStepwise: members.has('resolution'), isRecent }
}

/** Flags about APL, which the older endpoint would ignore. */
const APL_FLAGS = [
  ...['format', 'check', 'explain', 'why', 'assert', 'param', 'library', 'maxDataPoints'],
  ...['maxSeries', 'priority', 'cursorField', 'disableStats', 'disableTrace'],
]
/** The names of values that a flag with `--no-` sets to false. */
const APL_NEGATED_FLAGS = ['fill', 'interpolation', 'aggregation', 'cache']

function checkFlags(flags: Flags): void {
  const [flag] = [
    ...APL_FLAGS.filter((name) => flags[name] !== undefined).map(flagName),
    ...APL_NEGATED_FLAGS.filter((name) => flags[name] === false).map((name) => `--no-${name}`),
  ]
  if (flag !== undefined) {
    throw new UsageError(`\`${flag}\` applies to APL queries and can't be used with \`--legacy\`.`)
  }
}

function requestMembers(text: string): ReadonlyMap<string, JsonText> {
  try {
    JSON.parse(text)
    return membersOf(text)
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof MalformedResponseError)) throw error
    throw new UsageError(
      'With `--legacy`, the query is a JSON request such as `{"aggregations": [{"op": "count"}]}`.',
    )
  }
}

function flagMembers(
  { limit, order, cursor, includeCursor, resolution }: Flags,
  { startTime, endTime }: TimeRange,
): readonly (readonly [string, JsonText])[] {
  const members = { startTime, endTime, limit, order, cursor, includeCursor, resolution }
  return Object.entries(members).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, JSON.stringify(value)] as const],
  )
}

function memberOf(members: ReadonlyMap<string, JsonText>, name: string): readonly JsonText[] {
  const value = members.get(name)
  return value === undefined || value === 'null' ? [] : [value]
}

function objectText(members: ReadonlyMap<string, JsonText>): JsonText {
  return `{${[...members].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`
}

/** Sends a request to the older endpoint. Throws a `QueryError` when it is rejected. */
export async function runLegacy(
  connection: Connection,
  question: LegacyRequest,
  signal: AbortSignal,
): Promise<ChunkedBuffer> {
  const { legacyResponse } = await import('../../../client/query.js')
  return await legacyResponse(connection, question, { signal }).catch((error) => {
    throw queryError(question.request, error)
  })
}

export async function printLegacy(
  body: ChunkedBuffer,
  options: {
    readonly printer: Printer
    readonly flags: PrintFlags
    /** True to print groups per time step when the response has both. */
    readonly isStepwise: boolean
    readonly signal: AbortSignal
  },
): Promise<PrintSummary> {
  const { printer, flags, signal } = options
  const isRaw = formatOf(flags) === 'raw'
  if (isRaw) await printer.printResponse(body)
  const result = decodeLegacyResult(body.toString())
  const table = tableOf(result, options)
  if (!isRaw) await printer.printTables([table], signal)
  return { status: result.status, rows: countRows([table]) }
}

function tableOf(result: LegacyResult, { isStepwise }: { readonly isStepwise: boolean }): Table {
  const { series, totals } = result
  if (totals.length === 0 && series.length === 0) return matchesTable(result)
  return isStepwise && series.length > 0 ? seriesTable(result) : totalsTable(result)
}
