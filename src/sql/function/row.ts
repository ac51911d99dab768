import type { Type } from '../../apl/type.js'
import type { Sql } from '../sql.js'
import { derived, type Value } from '../value.js'

/** The context of a call, in addition to its arguments. */
interface Call {
  readonly type: Type
  /** The instant of the query, nanoseconds since 1970. */
  readonly now: bigint
}

/** Compiles a function of its arguments, each of a type that its signature accepts. */
export type FunctionRow = (values: readonly Value[], call: Call) => Value

/** Returns the row of a function that is null when an argument is, and otherwise never. */
export function plain(type: Type, body: (a: Sql, b: Sql, c: Sql) => Sql): FunctionRow {
  return (values) => {
    const [a, b, c] = values.map((value) => value.sql)
    return derived(type, body(a!, b!, c!), values)
  }
}
