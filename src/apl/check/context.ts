import type { Problem } from '../../text/problem.js'
import type { Span } from '../../text/span.js'
import type { Environment } from '../environment.js'
import { tooManyFields, tooManyJoins, tooManySources } from '../problem/name.js'
import { queryTooLong, tooDeep } from '../problem/syntax.js'
import { type Excerpt, MAX_PROBLEMS } from '../problem/wording.js'
import type { Expression, Pipeline, Source } from '../syntax/ast.js'
import type { Type } from '../type.js'
import type { CheckedExpression, CheckedOperator, Column } from './checked.js'
import type { Flow } from './flow.js'
import { QueryComplexity } from './query-complexity.js'
import type { Scope } from './scope.js'

/** So many datasets, tables and queries may a query take its rows from. */
const MAX_SOURCES = 100

// The engine's planning takes longer with each join, and twice as long with each query that values are
// looked for in within another; no time limit ends it.

const MAX_JOINS = 20

const MAX_SUBQUERY_DEPTH = 10

/** So many steps may a query have, those of names for rows counted at each use. */
const MAX_STEPS = 1_000

/**
 * So many fields of datasets may a query use, those of each dataset counted: compiling it takes time in proportion,
 * and so does the engine's planning.
 */
const MAX_FIELDS = 10_240

/** Ends the check: what follows would take longer than anyone waits. Never leaves it. */
export class TooManyFields extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.message)
    this.problem = problem
  }
}

/**
 * The checks that contain each other: an expression may hold a query, a query holds expressions. Passed in, so
 * that the files of single operators and functions depend on this interface and not on each other in a circle.
 */
export interface Checks {
  readonly expression: (expression: Expression, site: Site) => CheckedExpression | undefined
  readonly source: (source: Source, context: Context) => Flow
  readonly flow: (pipeline: Omit<Pipeline, 'span'>, context: Context) => Flow
}

/** The state of one check of a query: its environment, the names in force, the problems found so far. */
export class Context {
  readonly environment: Environment
  readonly checks: Checks
  readonly problems: Problem[] = []
  private readonly text: string
  private readonly suppressed = new Set<string>()
  /** The names that statements gave, at this point of the query. */
  bindings: Bindings = new Map()
  private readonly defined = new Set<string>()
  private lastId = 0
  private sources = 0
  private steps = 0
  private joins = 0
  private subqueryDepth = 0
  private readonly complexity = new QueryComplexity()
  private muted = false
  private fields = 0
  /** True when the check is over: the few columns that are asked for afterwards are not counted. */
  isChecked = false

  constructor(text: string, environment: Environment, checks: Checks) {
    this.text = text
    this.environment = environment
    this.checks = checks
  }

  /** Notes a problem; undefined stands for the value that is not there because of it. */
  report(problem: Problem): undefined {
    if (!this.muted) this.problems.push(problem)
    return undefined
  }

  /** Whether a statement of the query has given the name already. */
  isDefined(name: string): boolean {
    return !this.muted && this.defined.has(name)
  }

  define(name: string, binding: Binding): void {
    if (!this.muted) this.defined.add(name)
    this.bindings = new Map(this.bindings).set(name, binding)
  }

  /** Reads again what was read before: its problems have been told. */
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

  /** Whether there may be one source more: names for rows can stand for each other, and double each time. */
  isSourceAllowed(span: Span): boolean {
    this.sources += 1
    if (this.sources === MAX_SOURCES + 1) this.problems.push(tooManySources(span, MAX_SOURCES))
    return this.sources <= MAX_SOURCES
  }

  isJoinAllowed(span: Span): boolean {
    this.joins += 1
    if (this.joins === MAX_JOINS + 1) this.problems.push(tooManyJoins(span, MAX_JOINS))
    return this.joins <= MAX_JOINS
  }

  /** Checks what a value is looked for in, unless too many such queries are around it. */
  inSubquery<T>(span: Span, check: () => T): T | undefined {
    if (this.subqueryDepth === MAX_SUBQUERY_DEPTH) {
      this.problems.push(tooDeep(span))
      return undefined
    }
    this.subqueryDepth += 1
    try {
      return check()
    } finally {
      this.subqueryDepth -= 1
    }
  }

  isStepAllowed(span: Span): boolean {
    this.steps += 1
    if (this.steps === MAX_STEPS + 1) this.problems.push(queryTooLong(span, MAX_STEPS))
    return this.steps <= MAX_STEPS
  }

  /** Checks an expression, unless there is too much of it. */
  limited(span: Span, check: () => CheckedExpression | undefined): CheckedExpression | undefined {
    const before = this.complexity.weight
    const checked = check()
    const problem = checked && this.complexity.add(checked, this.complexity.weight - before, span)
    if (problem === undefined) return checked
    this.problems.push(problem)
    return undefined
  }

  /** True when further problems would not be told: looking for near names may then be spared. */
  isFull(): boolean {
    return this.problems.length >= MAX_PROBLEMS
  }

  /** From here on a name is a consequence of a problem already told, and nothing is said of it. */
  suppress(name: string): void {
    this.suppressed.add(name)
  }

  isSuppressed(name: string): boolean {
    return this.suppressed.has(name)
  }

  /** Counts one field more of the datasets that the query uses. */
  countField(dataset: Span): void {
    if (++this.fields > MAX_FIELDS && !this.isChecked) {
      throw new TooManyFields(tooManyFields(dataset, MAX_FIELDS))
    }
  }

  /** A column that was not there before. */
  column(name: string, type: Type): Column {
    return { id: this.nextId(), name, type }
  }

  /** A number that nothing else in the query has. */
  nextId(): number {
    return this.nextIds(1)
  }

  /** The first of so many numbers in a row that nothing else in the query has. */
  nextIds(count: number): number {
    this.lastId += count
    return this.lastId - count + 1
  }

  /** The text of a span, for a message. */
  excerpt(span: Span): Excerpt {
    return { text: this.text.slice(span.start, span.end), span }
  }
}

/** Where an expression stands. */
export interface Site {
  readonly context: Context
  readonly scope: Scope
  /** The word of the operator around it. */
  readonly operator: string
  readonly aggregates: AggregateRule
  /** Names that this same operator makes. */
  readonly newNames?: ReadonlySet<string>
  /** The side of a join that the columns belong to. */
  readonly side?: 'left' | 'right'
}

/**
 * `none`: one row at a time. `group`: a group at a time, so fields must be in aggregates. `within`: the
 * arguments of an aggregate. `key`: what rows are grouped by.
 */
export type AggregateRule = 'none' | 'group' | 'within' | 'key'

/** What an operator turned into, and the columns behind it. */
export interface CheckedStep {
  readonly operators: readonly CheckedOperator[]
  readonly scope: Scope
}

/** What a name that a statement or the request gave stands for. */
export type Binding = ValueBinding | RowsBinding | BrokenBinding

/** A value over no columns: the same wherever it is used. */
interface ValueBinding {
  readonly kind: 'value'
  readonly value: CheckedExpression
}

/** Rows; each use reads the pipeline anew, with the names that there were when it was written. */
interface RowsBinding {
  readonly kind: 'rows'
  readonly pipeline: Pipeline
  readonly bindings: Bindings
}

/** A name whose statement has a problem: nothing more is said of it. */
interface BrokenBinding {
  readonly kind: 'broken'
}

/** What each name stands for at one point of the query. */
type Bindings = ReadonlyMap<string, Binding>
