import { addTo } from '../../../text/lists.js'
import type { Span } from '../../../text/span.js'
import { matchesWildcard } from '../../../text/wildcard.js'
import { duplicateName, noSuchDatasets } from '../../problem/name.js'
import type { DatasetPattern, DatasetSource, Identifier, Source, Union } from '../../syntax/ast.js'
import type {
  CheckedExpression,
  CheckedOperator,
  CheckedSource,
  Column,
  Constant,
  UnionPart,
} from '../checked.js'
import type { Context } from '../context.js'
import { constantOf } from '../expression/constant.js'
import { either, reference } from '../expression/invoke.js'
import { type Flow, flowFrom } from '../flow.js'
import { checkSource } from '../recursion.js'
import { type Columns, type ColumnTest, Scope } from '../scope.js'
import { wireTypeOfAny } from '../wire-type.js'

/** A part of a union with its name in the `withsource` column. */
interface Part {
  readonly flow: Flow
  readonly origin: string
}

/** Checks `union`: the rows of the current pipeline, if any, then the rows of each part. */
export function checkUnion(union: Union, context: Context, left?: Flow): Flow {
  const first = left === undefined ? [] : [partOf(left, 0)]
  const sources = union.parts.flatMap((part): readonly Source[] =>
    part.kind === 'dataset-pattern' ? matchingDatasets(part, context) : [part],
  )
  const parts = [
    ...first,
    ...sources.map((source, i) => partOf(checkSource(source, context), first.length + i, source)),
  ]
  const merged = new UnionColumns(parts, { context, span: union.span })
  if (union.withSource !== undefined) merged.nameOrigins(union.withSource)
  const isWhole = parts.every(({ flow }) => flow.source !== undefined && !flow.scope.open)
  if (!isWhole || parts.length === 0) {
    return { source: undefined, operators: [], scope: new Scope(merged, { open: true }) }
  }
  return flowFrom(
    { kind: 'union', columns: merged.columns, all: merged, parts: merged.parts },
    merged,
  )
}

/** Returns the datasets that match a pattern. Names defined by statements do not match. */
export function matchingDatasets(
  pattern: DatasetPattern,
  context: Context,
): readonly DatasetSource[] {
  const { datasets } = context.environment.schema
  context.patterns.push(pattern.pattern)
  const found = datasets.filter((name) => matchesWildcard(name, pattern.pattern))
  if (found.length === 0) context.report(noSuchDatasets(context.excerpt(pattern.span), datasets))
  return found.map((name) => ({ kind: 'dataset', name, span: pattern.span }))
}

function partOf(flow: Flow, position: number, written?: Source): Part {
  const source = flow.source?.kind === 'dataset' ? flow.source : written
  return { flow, origin: source?.kind === 'dataset' ? source.name : `union_arg${position}` }
}

/** A part of a union, to which columns and operators are added on demand. */
interface UnionBranch extends UnionPart {
  readonly origin: string
  readonly scope: Scope
  readonly pipeline: {
    readonly source: CheckedSource
    readonly operators: CheckedOperator[]
    readonly columns: Column[]
  }
  readonly columns: Map<number, Column | Constant>
}

function branchOf({ flow: { source = NO_ROWS, operators, scope }, origin }: Part): UnionBranch {
  const pipeline = { source, operators: [...operators], columns: [] }
  return { origin, scope, pipeline, columns: new Map() }
}

/** A placeholder for the source of a part with a problem, which is never compiled. */
const NO_ROWS: CheckedSource = { kind: 'rows', columns: [], rows: [] }

/** The columns of all parts by name; a column with different types becomes `dynamic`. */
class UnionColumns implements Columns {
  readonly parts: readonly UnionBranch[]
  /** The columns that the query uses. */
  readonly columns: Column[] = []
  private readonly context: Context
  private readonly span: Span
  private readonly found = new Map<string, Column | undefined>()
  private origin: Column | undefined

  constructor(parts: readonly Part[], { context, span }: { context: Context; span: Span }) {
    this.parts = parts.map(branchOf)
    this.context = context
    this.span = span
  }

  /** Adds the `withsource` column in front of the others. */
  nameOrigins({ name, span }: Identifier): void {
    if (this.find(name) !== undefined) this.context.report(duplicateName({ name, span }))
    const origins = this.parts.map((part) => [part, constantOf('string', part.origin)] as const)
    this.origin = this.add(this.context.column(name, 'string'), origins)
    this.found.set(name, this.origin)
  }

  *names(): Iterable<string> {
    if (this.origin !== undefined) yield this.origin.name
    for (const { scope } of this.parts) yield* scope.allNames()
  }

  find(name: string): Column | undefined {
    if (!this.found.has(name)) {
      const own = this.parts.flatMap((part): BranchColumn[] => {
        const column = part.scope.exact(name)
        return column === undefined ? [] : [[part, column]]
      })
      this.found.set(name, own.length === 0 ? undefined : this.merged(name, own))
    }
    return this.found.get(name)
  }

  /** Iterates over the columns of each part once; looking up each name in each part would be quadratic. */
  matching(fits: (name: string) => boolean): readonly Column[] {
    const all = new Map<string, BranchColumn[]>()
    if (this.origin !== undefined && fits(this.origin.name)) all.set(this.origin.name, [])
    for (const part of this.parts) {
      for (const column of part.scope.matching(fits)) {
        addTo(all, column.name, [part, column])
      }
    }
    return [...all].map(([name, own]) => {
      const column = this.found.get(name) ?? this.merged(name, own)
      this.found.set(name, column)
      return column
    })
  }

  /** Tests the columns of each part inside the part: the columns of the union would be tested for the rows of every part. */
  any(test: ColumnTest): CheckedExpression {
    const { context, span } = this
    const own = this.parts.map((part): BranchColumn => {
      const value = context.limited(span, () => part.scope.any(test))
      const column = context.column('', 'bool')
      part.pipeline.operators.push({ kind: 'extend', computed: [{ column, value }] })
      return [part, column]
    })
    const found = this.add(context.column('', 'bool'), own)
    return either([reference(found), ...(this.origin === undefined ? [] : [test([this.origin])])])
  }

  /** Returns false when there is a `withsource` column, which would be tested too but is not a column of any part. */
  filterParts(check: (scope: Scope) => CheckedExpression): boolean {
    if (this.origin !== undefined) return false
    for (const part of this.parts) {
      part.pipeline.operators.push({ kind: 'where', predicate: check(part.scope) })
    }
    return true
  }

  private merged(name: string, own: readonly BranchColumn[]): Column {
    const columns = own.map(([, column]) => column)
    const { type } = columns[0]!
    const isOne = columns.every((column) => column.type === type)
    const column = this.context.column(name, isOne ? type : 'dynamic')
    return this.add({ ...column, wireType: wireTypeOfAny(columns) }, own)
  }

  private add(column: Column, own: readonly (readonly [UnionBranch, Column | Constant])[]): Column {
    this.columns.push(column)
    for (const [part, value] of own) {
      part.columns.set(column.id, value)
      if ('id' in value) part.pipeline.columns.push(value)
    }
    return column
  }
}

type BranchColumn = readonly [UnionBranch, Column]
