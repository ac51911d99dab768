import { list, type Sql, sql, text } from '../sql.js'
import { once, type Value } from '../value.js'
import { splitBy } from './split.js'

// The engine's functions that look for matches take a regex only where it is written out. A computed
// one is looked for by replacing its matches, which the engine does with any.

/** The regex with something before and behind it, written out if it is. */
export function around(before: string, regex: Value, behind: string): Sql {
  const known = regex.constant
  if (typeof known === 'string') return text(`${before}${known}${behind}`)
  return sql`concat(${list([text(before), regex.sql, text(behind)])})`
}

/** Whether the regex is known before the query runs. */
export function isWrittenOut({ constant }: Value): boolean {
  return typeof constant === 'string'
}

/** What groups captured in each match, as an array of arrays; group 0 is the match. */
export function captures(source: Sql, regex: Value, groups: readonly number[]): Sql {
  if (isWrittenOut(regex)) {
    const items = list(groups.map((group) => sql`m[${group + 1}]`))
    const all = sql`extractAllGroupsVertical(${source}, ${around('(', regex, ')')})`
    return sql`arrayMap(m -> [${items}], ${all})`
  }
  const rewrite = groups.map((group) => text(`\\${group}`))
  return matchesBy(source, regex, list(rewrite.flatMap((one) => [one, sql`sign`])), (match) => {
    return sql`arrayPopBack(${splitBy(sql`sign`, match)})`
  })
}

/** Replaces each match by what is asked of it between signs that the text cannot hold, and takes the text apart there. */
function matchesBy(source: Sql, regex: Value, rewrite: Sql, of: (match: Sql) => Sql): Sql {
  const found = sql`arrayFilter((piece, i) -> i % 2 = 0, pieces, arrayEnumerate(pieces))`
  const edge = sql`concat(sign, '|', sign)`
  const replaced = sql`replaceRegexpAll(${source}, ${regex.sql}, concat(${edge}, ${rewrite}, ${edge}))`
  const parts = sql`arrayMap(piece -> ${of(sql`piece`)}, ${found})`
  const taken = sql`arrayMap(pieces -> ${parts}, [${splitBy(edge, replaced)}])[1]`
  return sql`arrayMap(sign -> ${taken}, [${signOf(source)}])[1]`
}

/** The text cut at the edges of each match: between, match, between, match, …, between. */
export function cut(source: Sql, regex: Value): Sql {
  const rewrite = sql`concat(sign, '\\\\0', sign)`
  // Without the parentheses the engine finds no regex that is empty.
  const replaced = sql`replaceRegexpAll(${source}, ${around('(?:', regex, ')')}, ${rewrite})`
  return sql`arrayMap(sign -> ${splitBy(sql`sign`, replaced)}, [${signOf(source)}])[1]`
}

/** A text that `source` does not hold: nobody knows one that holds its own hash. */
function signOf(source: Sql): Sql {
  return sql`concat('<', lower(hex(SHA256(${source}))), '>')`
}

/** What a group of the first match captured; null without a match. */
export function firstCapture(source: Sql, regex: Value, group: Value): Sql {
  const found = sql`match(${source}, ${regex.sql})`
  if (isWrittenOut(regex)) {
    return sql`if(${found}, regexpExtract(${source}, ${regex.sql}, ${group.sql}), NULL)`
  }
  const whole = around('^(?s:.*?)(', regex, ')(?s:.*)$')
  const reference = once(group.sql, groupReference)
  return sql`if(${found}, replaceRegexpOne(${source}, ${whole}, ${reference}), NULL)`
}

/** A rewrite names nine groups, and one is the match: a higher number fails as one that is not there. */
function groupReference(group: Sql): Sql {
  const missing = sql`regexpExtract('', '()', toInt64(${group}))`
  return sql`if(${group} BETWEEN 0 AND 8, concat('\\\\', toString(${group} + 1)), ${missing})`
}
