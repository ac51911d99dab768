import type { ARRAY_FUNCTIONS } from '../../apl/function/array.js'
import { type Sql, sql } from '../sql.js'
import { nullable, once } from '../value.js'
import type { FunctionRow } from './row.js'

/** Functions on arrays and objects, in SQL. */
export const ARRAY_SQL: Readonly<Record<keyof typeof ARRAY_FUNCTIONS, FunctionRow>> = {
  array_length: ([array]) => {
    const length = (d: Sql) => sql`if(startsWith(${d}, '['), toInt64(JSONLength(${d})), NULL)`
    return nullable('int', once(array!.sql, length))
  },
}
