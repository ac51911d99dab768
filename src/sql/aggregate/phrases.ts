import { list, type Sql, sql } from '../sql.js'
import { json } from '../type/convert.js'
import { jsonArray } from '../type/json-array.js'
import { nullable, type Value } from '../value.js'

const LENGTHS: readonly number[] = [2, 3, 4]

/** Returns the most frequent word sequences. APL does not document the exact rule. */
export function phrases(value: Value, limit: bigint): Value {
  const words = sql`extractAll(lowerUTF8(ifNull(${value.sql}, '')), '[\\\\p{L}\\\\p{N}]+')`
  const runs = LENGTHS.map(
    (n) =>
      sql`if(length(ws) >= ${n}, arrayShingles(arrayResize(ws, greatest(length(ws), ${n})), ${n}), [])`,
  )
  const all = sql`arrayMap(run -> arrayStringConcat(run, ' '), arrayConcat(${list(runs)}))`
  const inText = sql`arrayMap(ws -> ${all}, [${words}])[1]`
  const counts = sql`sumMap(${inText}, arrayMap(run -> toInt64(1), ${inText}))`
  const pairs = sql`arrayZip((${counts}).1, (${counts}).2)`
  const longFirst = sql`arraySort(p -> (negate(p.2), negate(countSubstrings(p.1, ' ')), p.1), ${pairs})`
  // A sequence of four words contains five shorter ones.
  const candidates = sql`arraySlice(${longFirst}, 1, ${limit * 6n})`
  const shown = sql`arrayMap(p -> ${json(sql`p.1`)}, arraySlice(arrayFilter(p -> NOT ${isInLonger()}, ps), 1, ${limit}))`
  return nullable('dynamic', sql`arrayMap(ps -> ${jsonArray(shown)}, [${candidates}])[1]`)
}

/** True when the phrase `p` is exactly as frequent as a longer phrase that contains it. */
function isInLonger(): Sql {
  const spaced = (phrase: Sql) => sql`concat(' ', ${phrase}, ' ')`
  const holds = sql`position(${spaced(sql`q.1`)}, ${spaced(sql`p.1`)}) > 0`
  return sql`arrayExists(q -> q.2 = p.2 AND q.1 != p.1 AND ${holds}, ps)`
}
