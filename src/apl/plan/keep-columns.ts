// Commands that page or follow events need columns that a `project` of the query may leave out.
import type { Problem } from '../../text/problem.js'
import { matchesWildcard } from '../../text/wildcard.js'
import type { Operator } from '../syntax/ast.js'
import { formatName } from '../syntax/format.js'
import { type ParseOptions, parse, wholeQuery } from '../syntax/parser.js'

export interface KeptColumns {
  readonly apl: string
  /** The columns that the query as written does not return. */
  readonly added: readonly string[]
  /** Returns a problem of this query with its position in the query as written. */
  restore(problem: Problem): Problem
}

interface Insertion {
  readonly at: number
  readonly text: string
}

/** Adds columns to each `project` that leaves them out. Returns the query unchanged when its rows are not events. */
export function keepColumns(
  text: string,
  needed: readonly string[],
  options: ParseOptions = {},
): KeptColumns {
  const unchanged = { apl: text, added: [], restore: (problem: Problem) => problem }
  const operators = wholeQuery(parse(text, options))?.operators ?? []
  if (operators.some(combinesRows)) return unchanged
  const added = new Set<string>()
  const insertions: Insertion[] = []
  for (const operator of operators) {
    const missing = missingIn(operator, needed)
    if (missing.length === 0) continue
    for (const name of missing) added.add(name)
    const at = operator.span.start + operator.kind.length
    insertions.push({ at, text: ` ${missing.map(formatName).join(', ')},` })
  }
  if (insertions.length === 0) return unchanged
  return {
    apl: insertions.reduceRight(
      (apl, { at, text: more }) => apl.slice(0, at) + more + apl.slice(at),
      text,
    ),
    added: [...added],
    restore({ span, ...problem }) {
      const [start, end] = [restored(span.start, insertions), restored(span.end, insertions)]
      return { ...problem, span: { start, end } }
    },
  }
}

/** Returns the offset in the text without the insertions. */
function restored(offset: number, insertions: readonly Insertion[]): number {
  let before = 0
  for (const { at, text } of insertions) {
    if (offset < at + before + text.length) return Math.min(offset - before, at)
    before += text.length
  }
  return offset - before
}

/** True for operators whose rows are not events: no column of an event can be kept through them. */
function combinesRows({ kind }: Operator): boolean {
  return ['summarize', 'count', 'distinct', 'make-series', 'getschema', 'reduce'].includes(kind)
}

function missingIn(operator: Operator, needed: readonly string[]): readonly string[] {
  if (operator.kind === 'project') {
    const names = operator.assignments.map(({ name, value }) =>
      name === undefined && value.kind === 'name' ? value.name : name?.name,
    )
    return needed.filter((column) => !names.includes(column))
  }
  if (operator.kind !== 'project-keep') return []
  return needed.filter(
    (column) => !operator.patterns.some(({ pattern }) => matchesWildcard(column, pattern)),
  )
}
