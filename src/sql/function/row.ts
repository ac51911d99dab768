import type { Type } from '../../apl/type.js'
import type { Value } from '../value.js'

/** The context of a call, in addition to its arguments. */
interface Call {
  readonly type: Type
  /** The instant of the query, nanoseconds since 1970. */
  readonly now: bigint
}

/** Compiles a function of its arguments, each of a type that its signature accepts. */
export type FunctionRow = (values: readonly Value[], call: Call) => Value
