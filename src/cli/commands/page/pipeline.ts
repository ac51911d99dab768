// Reads a query only as far as paging requires: another service may support more of APL than this program, so unknown
// syntax is passed through.
import type { Direction } from '../../../client/pages/page.js'
import { UsageError } from '../../error/usage-error.js'

interface Pipeline {
  /** The query without the sort and the limit at its end. */
  readonly apl: string
  readonly direction?: Direction
  readonly limit?: number
  /** True when one event can become several rows, so that numbers of events and of rows differ. */
  readonly isExpanding: boolean
}

const TOKEN =
  /(?<space>(?:\s|\/\/[^\n]*)+)|(?<text>@(?:"[^"\n]*"|'[^'\n]*')|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(?<word>[\p{L}_][\p{L}\p{N}_-]*)|(?<sign>.)/gsu

/** Operators whose output depends on all input rows, so that it differs from page to page. */
const AGGREGATING = new Set([
  ...['summarize', 'count', 'distinct', 'make-series', 'top', 'top-nested', 'sample', 'getschema'],
  ...['reduce', 'join', 'lookup', 'limit', 'take', 'sort', 'order', 'partition', 'sample-distinct'],
])

/** The form of `reduce` that keeps the events. */
const KEEPING = /^reduce\s+kind\s*=\s*source\b/

interface Stage {
  readonly word: string
  readonly start: number
  /** The offset after the last token. */
  readonly end: number
  /** The first word after each `|` within the brackets of the operator. */
  readonly inner: readonly string[]
}

/** Splits off the order and the limit of a query. Throws a `UsageError` when it can't be paged. */
export function readPipeline(text: string): Pipeline {
  const statements = stagesOf(text)
  for (const stages of statements.slice(0, -1)) {
    if (stages.length > 1 || stages.some(({ inner }) => inner.length > 0)) throw subqueryError()
  }
  const stages = statements.at(-1) ?? []
  for (const { word, inner } of stages) {
    if (inner.length > 0 && (word !== 'union' || inner.some((name) => AGGREGATING.has(name)))) {
      throw subqueryError()
    }
  }
  const [source, ...operators] = stages
  const ending = endingOf(operators.map((stage) => ({ ...stage, text: textOf(stage, text) })))
  const last = operators[operators.length - ending.stages - 1] ?? source
  return {
    apl: text.slice(0, last?.end ?? 0),
    isExpanding: stages.some(({ word }) => word === 'mv-expand'),
    direction: ending.direction,
    limit: ending.limit,
  }
}

/** The order and the limit at the end of a query, and the number of operators that set them. */
interface Ending {
  readonly stages: number
  readonly direction?: Direction | undefined
  readonly limit?: number
}

type Operator = Stage & { readonly text: string }

function endingOf(operators: readonly Operator[]): Ending {
  const found = trailingOperators(operators)
  const rest = operators.slice(0, operators.length - found.stages)
  let { direction } = found
  for (const { word, text } of rest) {
    if (word === 'sort' || word === 'order') direction ??= orderOf(text)
    else if (AGGREGATING.has(word) && !KEEPING.test(text)) throw aggregatingError(word)
  }
  return { ...found, direction }
}

function trailingOperators(operators: readonly Operator[]): Ending {
  const last = operators.at(-1)
  if (last === undefined) return { stages: 0 }
  const [, count, topOrder] = /^top\s+(\d+)\s+by\s+_time(?:\s+(asc|desc))?$/.exec(last.text) ?? []
  if (count !== undefined) {
    return { stages: 1, limit: Number(count), direction: topOrder === 'asc' ? 'asc' : 'desc' }
  }
  const limit = /^(?:limit|take)\s+(\d+)$/.exec(last.text)?.[1]
  const sort = limit === undefined ? last : operators.at(-2)
  const isSort = sort?.word === 'sort' || sort?.word === 'order'
  return {
    stages: (limit === undefined ? 0 : 1) + (isSort ? 1 : 0),
    ...(isSort && { direction: orderOf(sort.text) }),
    ...(limit !== undefined && { limit: Number(limit) }),
  }
}

/** Returns the order of a `sort`, which is descending by default. */
function orderOf(text: string): Direction {
  const order = /^(?:sort|order)\s+by\s+(?:_time|\['_time'\]|\["_time"\])(?:\s+(asc|desc))?$/.exec(
    text,
  )
  if (order !== null) return order[1] === 'asc' ? 'asc' : 'desc'
  throw new UsageError(
    `\`${text}\`: pages can only be sorted by \`_time\`. Use \`evq query\` for other orders, or sort the file.`,
  )
}

function aggregatingError(word: string): UsageError {
  if (word === 'limit' || word === 'take') {
    return new UsageError(
      `\`${word}\` in the middle of the query would limit every page. Move it to the end, or use \`--max-rows\`.`,
    )
  }
  return new UsageError(
    `\`${word}\` combines all events, so its rows can't be paged. Use \`evq query\`, where \`-n\` sets the number of rows.`,
  )
}

function subqueryError(): UsageError {
  return new UsageError(
    "A query with a subquery can't be paged, because the subquery would return different rows for every page. Use `evq query`, where `-n` sets the number of rows.",
  )
}

function textOf({ start, end }: Stage, text: string): string {
  return text
    .slice(start, end)
    .replace(/\/\/[^\n]*/g, ' ')
    .trim()
}

/** Splits a text into statements, and each into its operators. */
function stagesOf(text: string): readonly (readonly Stage[])[] {
  const statements: Stage[][] = []
  let stages: Stage[] = []
  let stage: { word: string; start: number; end: number; inner: string[] } | undefined
  let depth = 0
  let isInner = false
  function close(): void {
    if (stage !== undefined) stages.push(stage)
    stage = undefined
  }
  for (const { 0: token, index, groups } of text.matchAll(TOKEN)) {
    if (groups?.space !== undefined) continue
    if (depth === 0 && token === '|') {
      close()
      continue
    }
    if (depth === 0 && token === ';') {
      close()
      if (stages.length > 0) statements.push(stages)
      stages = []
      continue
    }
    stage ??= { word: groups?.word ?? '', start: index, end: index, inner: [] }
    stage.end = index + token.length
    if (isInner) stage.inner.push(token)
    isInner = token === '|'
    if (token === '(' || token === '[' || token === '{') depth += 1
    if (token === ')' || token === ']' || token === '}') depth -= 1
  }
  close()
  if (stages.length > 0) statements.push(stages)
  return statements
}
