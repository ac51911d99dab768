import type { FieldFacts } from '../../../input/inspect/field-facts.js'
import type { FindingsByKind } from '../../../input/inspect/findings.js'
import type { InputFacts } from '../../../input/inspect/inspection.js'

/** All that `--check` found. */
export interface CheckReport {
  readonly timestampField: string
  readonly inputs: readonly InputFacts[]
  readonly fields: readonly FieldFacts[]
  /** What would be refused. */
  readonly refusals: readonly FindingsByKind[]
  /** What would be stored, but not as it was written. */
  readonly alterations: readonly FindingsByKind[]
  /** What a hosted service would refuse besides. */
  readonly limits: readonly FindingsByKind[]
}
