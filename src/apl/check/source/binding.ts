import type { Pipeline } from '../../syntax/ast.js'
import type { CheckedExpression } from '../checked.js'

/** What a name that a statement or the request gave stands for. */
export type Binding = ValueBinding | RowsBinding | BrokenBinding

/** A value over no columns: the same wherever it is used. */
export interface ValueBinding {
  readonly kind: 'value'
  readonly value: CheckedExpression
}

/** Rows; each use reads the pipeline anew, with the names that there were when it was written. */
export interface RowsBinding {
  readonly kind: 'rows'
  readonly pipeline: Pipeline
  readonly bindings: Bindings
}

/** A name whose statement has a problem: nothing more is said of it. */
export interface BrokenBinding {
  readonly kind: 'broken'
}

/** What each name stands for at one point of the query. */
export type Bindings = ReadonlyMap<string, Binding>
