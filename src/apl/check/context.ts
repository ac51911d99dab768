import type { Problem } from '../../text/problem.js'
import type { Span } from '../../text/span.js'
import { MAX_QUERY_FIELDS, MAX_QUERY_SOURCES } from '../../wire/limits.js'
import type { Environment } from '../environment.js'
import { Stop } from '../parse/cursor.js'
import { tooManyFields, tooManyJoins, tooManySources } from '../problem/name.js'
import type { Operand } from '../problem/operand.js'
import { queryTooLong, tooDeep } from '../problem/syntax.js'
import { type Excerpt, MAX_PROBLEMS } from '../problem/wording.js'
import type { Expression, Pipeline, Source } from '../syntax/ast.js'
import type { Type } from '../type.js'
import type { CheckedExpression, CheckedOperator, Column, ComputedColumn } from './checked.js'
import type { Flow } from './flow.js'
import { QueryComplexity } from './query-complexity.js'
import type { Scope } from './scope.js'

/**
 * The maximum number of the parts of a query, and the problem of a query with more. The steps of a named table count at each use:
 * tables defined by each other can double with each name. The engine's planning time, which no time limit covers, grows with each
 * join.
 */
const LIMITS = {
  source: { most: MAX_QUERY_SOURCES, problem: tooManySources },
  join: { most: 20, problem: tooManyJoins },
  step: { most: 1_000, problem: queryTooLong },
} as const

/** The planning time doubles with each nested `in` subquery. */
const MAX_SUBQUERY_DEPTH = 10

/**
 * The mutually recursive checks: an expression may contain a query, a query contains expressions. Passed in, so that
 * the files of single operators and functions depend on this interface instead of importing each other in a cycle.
 */
export interface Checks {
  readonly expression: (expression: Expression, site: Site) => CheckedExpression
  readonly source: (source: Source, context: Context) => Flow
  readonly flow: (pipeline: Omit<Pipeline, 'span'>, context: Context) => Flow
}

/** Thrown where a part of a query has a problem, which was reported. Creating an error for each problem would take longer. */
const REFUSAL = new Error('A part of the query was refused.')

/** The state of the check of one query: its environment, the names in scope and the problems found so far. */
export class Context {
  readonly environment: Environment
  readonly checks: Checks
  readonly problems: Problem[] = []
  readonly patterns: string[] = []
  readonly warnings = new Set<string>()
  private readonly text: string
  private readonly suppressed = new Set<string>()
  /** The names that the step being checked has suppressed. */
  readonly suppressedByStep = new Set<string>()
  /** The names defined by statements or the request, at this point of the query. */
  bindings: Bindings = new Map()
  private readonly defined = new Set<string>()
  private lastId = 0
  private readonly counts = { source: 0, join: 0, step: 0 }
  private subqueryDepth = 0
  private readonly complexity = new QueryComplexity()
  private muted = false
  private fields = 0
  /** True after the check; columns requested later, which are few, are not counted. */
  isChecked = false

  constructor(text: string, environment: Environment, checks: Checks) {
    this.text = text
    this.environment = environment
    this.checks = checks
  }

  report(problem: Problem): void {
    if (!this.muted) this.problems.push(problem)
  }

  /** Reports a problem, if it has not been reported yet, and ends the check of this part of the query. */
  refuse(problem?: Problem): never {
    if (problem !== undefined) this.report(problem)
    throw REFUSAL
  }

  /** Returns the result of a check; undefined for a part that was refused. */
  attempt<T>(check: () => T): T | undefined {
    try {
      return check()
    } catch (error) {
      if (error !== REFUSAL) throw error
      return undefined
    }
  }

  /** Checks all items, so that the problems of each are reported. Refuses when one of them was refused. */
  all<Item, T>(items: readonly Item[], check: (item: Item, index: number) => T): readonly T[] {
    const results = items.map((item, i) => this.attempt(() => check(item, i)))
    const found = results.filter((result) => result !== undefined)
    return found.length < results.length ? this.refuse() : found
  }

  /** Returns true if a statement of the query has already defined the name. */
  isDefined(name: string): boolean {
    return !this.muted && this.defined.has(name)
  }

  define(name: string, binding: Binding): void {
    if (!this.muted) this.defined.add(name)
    this.bindings = new Map(this.bindings).set(name, binding)
  }

  /** Checks the pipeline of a name at one of its uses, without reporting its problems again. */
  reuse<T>(bindings: Bindings, read: () => T): T {
    const { bindings: here, muted } = this
    this.bindings = bindings
    this.muted = true
    try {
      return read()
    } finally {
      this.bindings = here
      this.muted = muted
    }
  }

  /** Counts a part of the query. Returns false above the limit. */
  isAllowed(part: keyof typeof LIMITS, span: Span): boolean {
    const { most, problem } = LIMITS[part]
    const count = ++this.counts[part]
    if (count === most + 1) this.problems.push(problem(span, most))
    return count <= most
  }

  /** Checks a subquery of `in`, unless it is nested too deeply. */
  inSubquery<T>(span: Span, check: () => T): T {
    if (this.subqueryDepth === MAX_SUBQUERY_DEPTH) this.exceed(tooDeep(span))
    this.subqueryDepth += 1
    try {
      return check()
    } finally {
      this.subqueryDepth -= 1
    }
  }

  /** Checks an expression, unless the query gets too complex. */
  limited(span: Span, check: () => CheckedExpression): CheckedExpression {
    const before = this.complexity.weight
    const checked = check()
    const problem = this.complexity.add(checked, this.complexity.weight - before, span)
    return problem === undefined ? checked : this.exceed(problem)
  }

  /** Refuses a part that exceeds a limit, also at a later use of its name. */
  private exceed(problem: Problem): never {
    this.problems.push(problem)
    throw REFUSAL
  }

  /** Returns true when further problems would not be reported, so that searching for similar names is wasted. */
  isFull(): boolean {
    return this.problems.length >= MAX_PROBLEMS
  }

  /** Suppresses problems with a name that is unknown only because of a problem already reported. */
  suppress(name: string): void {
    this.suppressed.add(name)
    this.suppressedByStep.add(name)
  }

  isSuppressed(name: string): boolean {
    return this.suppressed.has(name)
  }

  /** Counts a field that the query uses. Throws `Stop`, which ends the check, above the limit. */
  countField(dataset: Span): void {
    if (++this.fields > MAX_QUERY_FIELDS && !this.isChecked) {
      throw new Stop(tooManyFields(dataset, MAX_QUERY_FIELDS))
    }
  }

  /** Returns a new column. */
  column(name: string, type: Type): Column {
    return { id: this.nextId(), name, type }
  }

  /** Returns a new column with a value. A column with the value of another one has all of its types. */
  computed(name: string, value: CheckedExpression): ComputedColumn {
    const wireType = value.kind === 'reference' ? value.wireType : undefined
    return { column: { id: this.nextId(), name, type: value.type, wireType }, value }
  }

  /** Returns an id that is unique within the query. */
  nextId(): number {
    return this.nextIds(1)
  }

  /** Reserves `count` consecutive ids and returns the first. */
  nextIds(count: number): number {
    this.lastId += count
    return this.lastId - count + 1
  }

  /** Returns the text of a span, for a message. */
  excerpt(span: Span): Excerpt {
    return { text: this.text.slice(span.start, span.end), span }
  }

  /** Returns the text of an expression with its type, for a message. */
  operand({ span }: { readonly span: Span }, { type }: { readonly type: Type }): Operand {
    return { ...this.excerpt(span), type }
  }
}

export interface Site {
  readonly context: Context
  readonly scope: Scope
  /** The word of the enclosing operator. */
  readonly operator: string
  readonly aggregates: AggregateRule
  /** The names of columns that the enclosing operator defines. */
  readonly newNames?: ReadonlySet<string>
  /** The side of a join whose columns are in scope. */
  readonly side?: 'left' | 'right'
}

/**
 * The use of aggregations in an expression. `none`: evaluated per row. `group`: evaluated per group, so fields must be
 * aggregated. `within`: an argument of an aggregation. `key`: a key after `by`.
 */
export type AggregateRule = 'none' | 'group' | 'within' | 'key'

/** The result of checking an operator: its steps, and the columns after it. */
export interface CheckedStep {
  readonly operators: readonly CheckedOperator[]
  readonly scope: Scope
}

/** The meaning of a name defined by a statement or by the request. */
export type Binding =
  /** A value that does not depend on columns. */
  | { readonly kind: 'value'; readonly value: CheckedExpression }
  /** A table. Each use checks the pipeline again, with the names that were in scope at its definition. */
  | { readonly kind: 'rows'; readonly pipeline: Pipeline; readonly bindings: Bindings }
  /** A name whose definition has a problem; its uses are not reported. */
  | { readonly kind: 'broken' }

type Bindings = ReadonlyMap<string, Binding>
