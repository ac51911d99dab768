// Determines the target of a view: files, a stream, a dataset, or a query of one of them.

import { type Stats, statSync } from 'node:fs'
import type { Problem } from '../../../text/problem.js'
import { errorCode } from '../../../text/system-error.js'
import { isDatasetName } from '../../../wire/http/dataset-name.js'
import { exactJsonText } from '../../../wire/json/exact-json.js'
import { type Context, clock } from '../../context.js'
import { ProblemsError } from '../../error/problems-error.js'
import { UsageError } from '../../error/usage-error.js'
import { flagWords, type ReadingFlags } from '../../ingest/option/reading-flags.js'
import type { Params } from '../../option/param.js'
import type { TimeRangeFlags } from '../../option/time-range.js'
import type { InputFlags } from '../query/input/options.js'
import { readingOptions } from '../query/input/options.js'
import { filesIn, filesOf } from '../query/input/read.js'
import type { FileLabels } from './file-labels.js'
import { fileLabels } from './file-labels.js'
import { problemText } from './prompt-text.js'
import { type ViewQuery, viewQuery } from './query.js'

export interface ViewOptions extends InputFlags, TimeRangeFlags {
  /** Files, a dataset or a query. */
  readonly names: readonly string[]
  readonly param?: Params
  readonly follow?: boolean
}

/** The source of the view, and its words on the command line. */
export type ViewTarget = FilesTarget | (Target & { readonly kind: 'dataset' })

interface Target {
  readonly title: string
  readonly query: ViewQuery
  readonly labels: FileLabels
  /** The flags for reading events, for the command that leaving prints. */
  readonly readingFlags: readonly string[]
  readonly range: readonly string[]
  /** The flags for the parameters of the query. */
  readonly params: readonly string[]
}

/** Files, or standard input as `-`. */
interface FilesTarget extends Target {
  readonly kind: 'files'
  /** The files as they were named. */
  readonly patterns: readonly string[]
  readonly files: readonly string[]
  readonly reading: ReadingFlags
}

const STANDARD_INPUT = '-'
/** The beginning of a query that names its datasets. A word before a pipe is a dataset, except for operators without operands. */
const WITH_SOURCE =
  /^\s*(?:[[(]|(?:union|let|declare|print|search\s+in)\b|(?:data)?table\s*\(|(?!count\b|getschema\b)\w+\s*\|)/
const EXAMPLES = '`evq view app.log`, `kubectl logs -f deploy/api | evq view`, `evq view logs`'
const ABOUT_QUERIES =
  'A query reads the files of `-i` or names its dataset: `evq view "[\'logs\'] | where status >= 500"`.'

/** Returns the target that the arguments name. Throws a `UsageError` when they name no target, or several. */
export async function viewTarget(options: ViewOptions, context: Context): Promise<ViewTarget> {
  const { names, input } = options
  const [name, ...others] = names
  if (input !== undefined) {
    if (others.length > 0) throw new UsageError('With `-i`, the only argument is a query.')
    return await filesTarget(input, name ?? '', options, context)
  }
  if (name === undefined) {
    if (context.io.stdin.isTTY !== true)
      return await filesTarget([STANDARD_INPUT], '', options, context)
    throw new UsageError(`There is nothing to view. Name it: ${EXAMPLES}.`)
  }
  const isInput = async (one: string) =>
    (await isFile(one)) || (options.recursive === true && isDirectory(one))
  const areInputs = await Promise.all(names.map(isInput))
  const missing = names[areInputs.indexOf(false)]
  if (missing === undefined) return await filesTarget(names, '', options, context)
  if (others.length > 0) {
    if (isDirectory(missing)) throw new UsageError(directoryText(missing))
    const hint = names.some((text) => /\s/.test(text)) ? ` ${ABOUT_QUERIES}` : ''
    throw new UsageError(`There is no file \`${missing}\`.${hint}`)
  }
  if (isDatasetName(name)) return datasetTarget(`['${name}']`, name, options, context)
  if (WITH_SOURCE.test(name)) {
    return datasetTarget(name, undefined, options, context)
  }
  if (/\s/.test(name) && context.io.stdin.isTTY !== true) {
    return await filesTarget([STANDARD_INPUT], name, options, context)
  }
  if (isDirectory(name)) throw new UsageError(directoryText(name))
  throw new UsageError(
    /\s/.test(name)
      ? 'The query names no dataset. It can read files, as in `evq view -i app.log "where level == \'error\'"`, or standard input.'
      : `There is no file \`${name}\`.`,
  )
}

/** Returns the message that a name is a directory, and how to name its files. */
function directoryText(name: string): string {
  return `\`${name}\` is a directory. Name its files: \`evq view '${name.replace(/\/$/, '')}/*'\`, or add \`-r\`.`
}

function isDirectory(name: string): boolean {
  return statsOf(name)?.isDirectory() === true
}

/** Returns the stats of a file or directory; undefined for any other text, such as a query, which may be too long for a name. */
function statsOf(name: string): Stats | undefined {
  try {
    return statSync(name, { throwIfNoEntry: false })
  } catch (error) {
    if (errorCode(error) === 'ENAMETOOLONG') return undefined
    throw error
  }
}

/** Returns the message about a missing dataset that may have been meant as a file; undefined for a dataset in a query. */
export function missingDatasetText(
  { kind, title }: ViewTarget,
  problem: Problem,
): string | undefined {
  if (kind !== 'dataset' || !isDatasetName(title)) return undefined
  if (isDirectory(title)) return directoryText(title)
  return problemText({ ...problem, message: `There is no file or dataset \`${title}\`.` })
}

/** True for the name of a file, and for a pattern of names. A query may have the characters of a pattern. */
async function isFile(name: string): Promise<boolean> {
  if (name === STANDARD_INPUT) return true
  const stats = statsOf(name)
  if (stats !== undefined) return !stats.isDirectory()
  if (!/[*?[{]/.test(name) || WITH_SOURCE.test(name)) return false
  const [, word] = /^\s*([a-z-]+)\s/.exec(name) ?? []
  if (word === undefined) return true
  const { APL_WORDS } = await import('../../../apl/language.js')
  return !APL_WORDS.operators.includes(word)
}

async function filesTarget(
  patterns: readonly string[],
  apl: string,
  options: ViewOptions,
  context: Context,
): Promise<ViewTarget> {
  const files = await filesIn(await filesOf(patterns), options, { info: () => {} })
  if (files.length === 0) throw new UsageError(`There are no files in \`${patterns.join(', ')}\`.`)
  if (files.includes(STANDARD_INPUT) && context.io.stdin.isTTY === true) {
    throw new UsageError('Standard input is the terminal, so there are no events in it.')
  }
  const isMerged = files.length > 1
  // The events of several files have the name of their file.
  const flags = isMerged ? { ...options, sourceFields: true } : options
  return {
    kind: 'files',
    title: titleOf(files),
    query: await splitQuery(apl, { sorts: isMerged, hasInput: true }, context),
    labels: fileLabels(files),
    patterns,
    files,
    reading: readingOptions(flags),
    readingFlags: flagWords(flags),
    ...queryFlags(options),
  }
}

function titleOf(files: readonly string[]): string {
  const names = files.map((file) =>
    file === STANDARD_INPUT ? 'standard input' : file.slice(file.lastIndexOf('/') + 1),
  )
  return names.length <= 3 ? names.join(', ') : `${names[0]} and ${names.length - 1} more files`
}

async function datasetTarget(
  apl: string,
  name: string | undefined,
  options: ViewOptions,
  context: Context,
): Promise<ViewTarget> {
  const query = await splitQuery(apl, { sorts: true, hasInput: false }, context)
  return {
    kind: 'dataset',
    title: name ?? query.source,
    query,
    labels: new Map(),
    readingFlags: [],
    ...queryFlags(options),
  }
}

/** Splits the text of a query into its operators. Throws a `ProblemsError` when it does not parse. */
async function splitQuery(
  apl: string,
  { sorts, hasInput }: { readonly sorts: boolean; readonly hasInput: boolean },
  context: Context,
): Promise<ViewQuery> {
  if (apl.trim() === '') return viewQuery({ source: '', operators: [] }, { sorts })
  const { checkApl, splitApl } = await import('../../../apl/language.js')
  const split = splitApl(apl, { hasInput })
  if (split !== undefined) return viewQuery(split, { sorts })
  const inputs = { ...(hasInput && { main: 'input' }), file: () => 'file' }
  const found = checkApl(apl, { now: clock(context.io)(), inputs })
  throw new ProblemsError(apl, 'problems' in found ? found.problems : [])
}

/** Returns the flags for the range and the parameters of the query. */
function queryFlags({ since, until, param = {} }: ViewOptions) {
  const params = Object.entries(param)
  return {
    range: [
      ...(since === undefined ? [] : ['--since', since]),
      ...(until === undefined ? [] : ['--until', until]),
    ],
    params: params.flatMap(([name, value]) => ['-p', `${name}=${exactJsonText(value)}`]),
  }
}
