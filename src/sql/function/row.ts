import type { Type } from '../../apl/type.js'
import type { Value } from '../value.js'

/** What a call knows beside its arguments. */
interface Call {
  /** The type that the result is to have. */
  readonly type: Type
  /** The instant of the query. */
  readonly now: bigint
}

/** What a function makes of its arguments, each of a type that its signature accepts. */
export type FunctionRow = (values: readonly Value[], call: Call) => Value
