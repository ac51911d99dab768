import type { Problem } from '../text/problem.js'
import type { CheckedQuery } from './check/checked.js'
import { type CheckInput, checkQuery } from './check/query.js'
import type { Environment } from './environment.js'
import { MAX_PROBLEMS } from './problem/wording.js'
import { parse } from './syntax/parser.js'

/** A query that can run, or its problems in source order. */
export type Analysis = { readonly query: CheckedQuery } | { readonly problems: readonly Problem[] }

/** Parses and checks a query. Never throws, whatever the text. */
export function analyze(text: string, environment: Environment): Analysis {
  const parsed = parse(text, { hasInput: environment.inputs?.main !== undefined })
  return analyzeParsed({ text, parsed, environment })
}

/** Checks a parsed query, for callers that need its tree as well. */
export function analyzeParsed(input: CheckInput): Analysis {
  const checked = checkQuery(input)
  const problems = [...input.parsed.problems, ...checked.problems]
  if (problems.length === 0 && checked.query !== undefined) return { query: checked.query }
  problems.sort((a, b) => a.span.start - b.span.start)
  return { problems: problems.slice(0, MAX_PROBLEMS) }
}
