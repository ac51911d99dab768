// The language as data, and offline checks, for help, completion and the prompt. The command line imports no other file
// of this folder, and this one only on demand.
import { ownValue } from '../text/own-value.js'
import type { Problem } from '../text/problem.js'
import { AGGREGATES } from './aggregate/aggregates.js'
import { analyze, analyzeParsed } from './analyze.js'
import type { Environment } from './environment.js'
import { FUNCTION_ALIASES, FUNCTION_FAMILIES, FUNCTIONS } from './function/functions.js'
import type { Signature } from './function/signature.js'
import { highlights } from './highlight.js'
import { OPERATOR_REFERENCE, type OperatorReference } from './operator-reference.js'
import { PROBLEM_CODES } from './problem/codes.js'
import { FUNCTION_HABITS, OPERATOR_HABITS } from './problem/habits.js'
import { decided } from './query-sources.js'
import { formatQuery } from './syntax/format.js'
import { parse, wholeQuery } from './syntax/parser.js'
import { INFIX_WORDS, OPERATOR_WORDS } from './syntax/words.js'

export { type Highlight, type HighlightKind, highlights } from './highlight.js'
export { inputFieldsOf, unknownField } from './input-fields.js'
export type { Comparison } from './plan/comparison.js'
export { type EventQuery, eventQueryOf, type NoEventQuery, rowLimitOf } from './plan/event-query.js'
export { type KeptColumns, keepColumns } from './plan/keep-columns.js'
export { planOf, type QueryPlan, type Segment } from './plan/plan.js'
export { type SplitOperator, type SplitQuery, splitApl } from './plan/split-query.js'
export { type QuerySources, sourcesOf } from './query-sources.js'
export { type Reduction, reductionOf } from './reduction.js'
export type { Field } from './schema.js'
export { formatName } from './syntax/format.js'

/** Returns what APL has for an operator or a function of another query language; undefined for other words. */
export function equivalentOf(word: string): string | undefined {
  return ownValue(OPERATOR_HABITS, word) ?? ownValue(FUNCTION_HABITS, word)
}

/** The words of APL by the places in a query where they can occur. */
export interface AplWords {
  /** At the start, in addition to the names of datasets. */
  readonly beginnings: readonly string[]
  /** After a pipe. */
  readonly operators: readonly string[]
  /** In front of a parenthesis. */
  readonly calls: readonly string[]
  /** Between values. */
  readonly between: readonly string[]
}

/** The words that this version supports. */
export const APL_WORDS: AplWords = {
  beginnings: ['datatable', 'declare', 'let', 'print', 'search', 'union'],
  operators: OPERATOR_WORDS,
  calls: [
    ...new Set([
      ...Object.keys(FUNCTIONS),
      ...Object.keys(FUNCTION_ALIASES),
      ...Object.keys(AGGREGATES),
    ]),
  ],
  between: [
    ...INFIX_WORDS.filter((word) => /^[a-z]/.test(word)),
    ...['not', 'by', 'on', 'with', 'asc', 'desc'],
  ],
}

/** An entry of the reference: the syntax, and one line on the result. */
export interface Reference extends OperatorReference {
  readonly name: string
  /** The form with the types of the parameters and of the result, for functions. */
  readonly signature?: string
  /** Other names of a function. */
  readonly aliases?: readonly string[]
}

/** Returns the tabular operators in alphabetical order. */
export function operatorReference(): readonly Reference[] {
  return Object.entries(OPERATOR_REFERENCE).map(([name, entry]) => ({ name, ...entry }))
}

/** Returns the aggregations in alphabetical order. */
export function aggregationReference(): readonly Reference[] {
  return references(AGGREGATES)
}

export function functionReference(): readonly (readonly [
  family: string,
  functions: readonly Reference[],
])[] {
  return Object.entries(FUNCTION_FAMILIES).map(([family, rows]) => [family, references(rows)])
}

export function problemReference(): readonly (readonly [code: string, meaning: string])[] {
  return Object.entries(PROBLEM_CODES)
}

function references(rows: Readonly<Record<string, Signature>>): readonly Reference[] {
  return Object.entries(rows)
    .map(([name, signature]) => {
      const { result } = signature
      const aliases = Object.keys(FUNCTION_ALIASES).filter((one) => FUNCTION_ALIASES[one] === name)
      return {
        name,
        form: `${name}(${signature.form.replace(/: [\w|]+/g, '')})`,
        signature: `${name}(${signature.form})${typeof result === 'string' ? `: ${result}` : ''}`,
        summary: signature.summary,
        example: signature.example,
        ...(aliases.length > 0 && { aliases }),
      }
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** A query that parses, in its canonical form, or its problems. */
type CheckedApl = { readonly apl: string } | { readonly problems: readonly Problem[] }

/** Checks a query without a service: everything except the names of datasets and their fields. */
export function checkApl(text: string, known: Omit<Environment, 'schema'>): CheckedApl {
  const nothing = { datasets: [], fields: () => undefined }
  const parsed = parse(text, { hasInput: known.inputs?.main !== undefined })
  const checked = analyzeParsed(text, parsed, { ...known, schema: nothing })
  const problems = 'problems' in checked ? decided(checked.problems) : []
  const tree = wholeQuery(parsed)
  return problems.length > 0 || tree === undefined ? { problems } : { apl: formatQuery(tree) }
}

/**
 * Returns the problems of a query on known datasets, except problems that depend on the time range of a request. For a query
 * that reads an input, whose fields are unknown, returns only the syntax errors.
 */
export function diagnose(text: string, known: Environment): readonly Problem[] {
  const { source, problems } = parse(text, { hasInput: true })
  if (source?.kind === 'input') return problems
  const analyzed = analyze(text, known)
  const found = 'problems' in analyzed ? analyzed.problems : []
  return found.filter(({ code }) => code !== 'no-range')
}

/**
 * Formats a query with one step per line, and keeps the comments before and after the query. Returns undefined when the query does
 * not parse, or has comments in other places, which would be lost.
 */
export function formatApl(text: string): string | undefined {
  const parsed = parse(text, { hasInput: true })
  const tree = wholeQuery(parsed)
  if (parsed.problems.length > 0 || tree === undefined) return undefined
  const lines = text.trim().split('\n')
  const isComment = (line: string) => line.trim() === '' || line.trim().startsWith('//')
  const first = lines.findIndex((line) => !isComment(line))
  const last = lines.findLastIndex((line) => !isComment(line))
  const inside = lines.slice(first, last + 1).join('\n')
  if (highlights(inside).some(({ kind }) => kind === 'comment')) return undefined
  const end = inside.trimEnd().endsWith(';') ? ';' : ''
  return `${[...lines.slice(0, first), formatQuery(tree) + end, ...lines.slice(last + 1)].join('\n')}\n`
}
