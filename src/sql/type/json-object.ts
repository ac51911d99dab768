import { list, type Sql, sql, text } from '../sql.js'

/** The JSON text of an object with these keys, in this order; the values are SQL strings that are never null. */
export function objectOfTexts(members: Readonly<Record<string, Sql>>): Sql {
  const pieces = Object.entries(members).flatMap(([key, value], i) => [
    text(`${i === 0 ? '{' : ','}${JSON.stringify(key)}:`),
    sql`toJSONString(${value})`,
  ])
  return sql`concat(${list([...pieces, text('}')])})`
}
