import type { QuerySources } from '../../../../apl/language.js'
import { isDatasetName } from '../../../../wire/http/dataset-name.js'
import { type Context, clock, hasInput, type Io } from '../../../context.js'
import { ProblemsError } from '../../../error/problems-error.js'
import { UsageError } from '../../../error/usage-error.js'
import { isBounded } from '../../../option/time-range.js'
import { queryText } from '../../../query/query-text.js'
import type { QueryOptions } from '../options.js'
import { refuseInputFlags } from './options.js'

/** A query that reads events from files or standard input. */
export interface InputPlan
  extends Pick<QuerySources, 'datasets' | 'isStream' | 'hasFixedColumns' | 'limit'> {
  readonly apl: string
  /** The files of a query that starts with an operator, and the dataset that they are read into. */
  readonly main?: InputFiles
  readonly files: ReadonlyMap<string, InputFiles>
  /** The fields of the main input that the query uses; undefined when it may use any field. */
  readonly fields?: readonly string[]
}

/** Files, or patterns of files, and the dataset that they are read into. */
export interface InputFiles {
  readonly dataset: string
  readonly patterns: readonly string[]
}

const STANDARD_INPUT = ['-']

/** Reads the text of a query and finds its inputs. Throws a `ProblemsError` for problems in a query that reads inputs. */
export async function planQuery(
  options: QueryOptions,
  { io }: Context,
): Promise<{ readonly apl: string; readonly plan?: InputPlan }> {
  const apl = await queryText(options, io)
  const isText = options.apl === '-' || (options.apl === undefined && isDash(options.file))
  const patterns = options.input ?? (isText || !hasInput(io) ? undefined : STANDARD_INPUT)
  if (!mayReadInputs(apl, options)) {
    refuseInputFlags(options)
    return { apl }
  }
  const { sourcesOf, inputFieldsOf } = await import('../../../../apl/language.js')
  const known = { now: clock(io)(), variables: options.param }
  const first = sourcesOf(apl, known)
  const isDataset =
    first.readsInput && options.input === undefined && isSource(apl, first.firstWord)
  const sources = isDataset ? sourcesOf(apl, known, { hasInput: false }) : first
  const { readsInput, problems } = sources
  if (!readsInput && sources.files.length === 0) {
    if (options.input !== undefined && problems.length > 0) throw new ProblemsError(apl, problems)
    refuseInputFlags(options)
    return { apl }
  }
  if (!readsInput && options.input !== undefined) refuseInputFlags({ input: options.input })
  if (readsInput && patterns === undefined) {
    if (isText && !io.stdin.isTTY) throw standardInputTwice()
    return { apl }
  }
  if (isText && [...(patterns ?? []), ...sources.files].includes('-')) throw standardInputTwice()
  if (readsInput && patterns?.includes('-') && sources.files.includes('-')) throw sharedInput()
  const taken = new Set(sources.datasets)
  const main = readsInput && patterns ? { dataset: nameOf('input', taken), patterns } : undefined
  const files = new Map(
    sources.files.map((file) => [file, { dataset: nameOf(file, taken), patterns: [file] }]),
  )
  if (problems.length > 0) throw new ProblemsError(apl, problems)
  const fields = main && inputFieldsOf(apl, known, sources.parsed)
  const used = fields && usedFields(fields, options, io)
  const { datasets, isStream, hasFixedColumns, limit } = sources
  return {
    apl,
    plan: {
      apl,
      main,
      files,
      datasets,
      isStream: main !== undefined && isStream,
      hasFixedColumns,
      fields: used,
      limit,
    },
  }
}

/** Returns the fields that a query and its flags use; undefined when a flag may use any field. */
function usedFields(
  fields: readonly string[],
  options: QueryOptions,
  { stdout }: Io,
): readonly string[] | undefined {
  const { assert, order, cursor, why, check } = options
  if ([assert, order, cursor, why, check].some((flag) => flag !== undefined)) return undefined
  // An empty result is explained on a terminal, also by the times of the events.
  return isBounded(options) || stdout.isTTY === true ? [...fields, '_time'] : fields
}

/** False for most queries, so that the compiler is not loaded for them. */
function mayReadInputs(apl: string, { input }: QueryOptions): boolean {
  return input !== undefined || /\bfile\s*\(/.test(apl) || !/^\s*\[/.test(apl)
}

/**
 * True when the first word of the query can also begin a source. Without `--input`, such a query reads datasets: otherwise it
 * would consume the input of a shell loop in which it runs.
 */
function isSource(apl: string, word: string): boolean {
  if (word === 'union') return true
  return word === 'search' && /(^|;)\s*search\s+(kind\s*=\s*\w+\s+)?in\s*\(/.test(apl)
}

function isDash(file: string | undefined): boolean {
  return file === undefined || file === '-'
}

function standardInputTwice(): UsageError {
  return new UsageError(
    'Standard input is the query, so no events can be read from it. Give the query as an argument, or name the files: `evq query -f - -i app.log`.',
  )
}

function sharedInput(): UsageError {
  return new UsageError(
    "The events are read from standard input, and so is `file('-')`, but it can be read only once. Save the events in a file, and name it in `file(…)`.",
  )
}

/** Returns a name for the dataset of an input, derived from the file name and unique in `taken`, and adds it to `taken`. */
export function nameOf(file: string, taken: Set<string>): string {
  const base = file.slice(file.lastIndexOf('/') + 1)
  const plain = base.replace(/[^A-Za-z0-9_.-]+/g, '_').replace(/^[_.-]+|[_.-]+$/g, '')
  const name = isDatasetName(plain) ? plain : 'file'
  let free = name
  for (let i = 2; taken.has(free); i++) free = `${name.slice(0, 120)}_${i}`
  taken.add(free)
  return free
}
