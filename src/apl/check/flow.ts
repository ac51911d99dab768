import type { CheckedOperator, CheckedPipeline, CheckedSource, Column } from './checked.js'
import { type Columns, Scope } from './scope.js'

export interface Flow {
  /** Undefined when it has a problem. */
  readonly source: CheckedSource | undefined
  readonly operators: readonly CheckedOperator[]
  readonly scope: Scope
}

/** A pipeline with unknown columns, after a problem that has been reported. */
export const UNKNOWN_FLOW: Flow = {
  source: undefined,
  operators: [],
  scope: new Scope([], { open: true }),
}

/** Returns a flow that starts with a source; `columns` defaults to the columns of the source. */
export function flowFrom(
  source: CheckedSource,
  columns: readonly Column[] | Columns = source.columns,
): Flow {
  return { source, operators: [], scope: new Scope(columns, { open: false }) }
}

/** Returns the flow as a pipeline with these columns; undefined when its source has a problem. */
export function pipelineOf(
  { source, operators }: Flow,
  columns: readonly Column[],
): CheckedPipeline | undefined {
  return source && { source, operators, columns }
}
