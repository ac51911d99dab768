import { list, sql } from '../sql.js'
import { convert } from '../type/convert.js'
import { derived, nullable } from '../value.js'
import type { FunctionRow } from './row.js'

export const CHOICE_SQL = {
  case: (values, { type }) => {
    const branches = values.map((value, i) =>
      i % 2 === 1 || i === values.length - 1
        ? convert(value, type).sql
        : convert(value, 'bool').sql,
    )
    return nullable(type, sql`multiIf(${list(branches)})`)
  },
  iff: ([condition, then, otherwise], { type }) => {
    const [a, b] = [convert(then!, type), convert(otherwise!, type)]
    const test = condition!.filter ?? condition!.sql
    return derived(type, sql`if(${test}, ${a.sql}, ${b.sql})`, [a, b])
  },
} satisfies Record<string, FunctionRow>
