import type { CheckedOperator, CheckedPipeline, CheckedSource, Column } from './checked.js'
import { type Columns, Scope } from './scope.js'

/** A pipeline as far as it has been followed. */
export interface Flow {
  /** Undefined when it has a problem. */
  readonly source: CheckedSource | undefined
  readonly operators: readonly CheckedOperator[]
  readonly scope: Scope
}

/** Rows of which nothing is known, because of a problem that has been told. */
export const UNKNOWN_FLOW: Flow = {
  source: undefined,
  operators: [],
  scope: new Scope([], { open: true }),
}

/** A pipeline that begins with these rows, whose columns are those of the source unless said. */
export function flowFrom(
  source: CheckedSource,
  columns: readonly Column[] | Columns = source.columns,
): Flow {
  return { source, operators: [], scope: new Scope(columns, { open: false }) }
}

/** The flow as rows of their own, with the columns that are shown; undefined where its source has a problem. */
export function pipelineOf(
  { source, operators }: Flow,
  columns: readonly Column[],
): CheckedPipeline | undefined {
  return source && { source, operators, columns }
}
