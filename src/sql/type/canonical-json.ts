import { type Sql, sql, text } from '../sql.js'
import { once, type Value } from '../value.js'
import { asText, shown } from './convert.js'

// Objects nest to any depth, and the engine has no recursion. The text is therefore changed from the inside: the members of objects
// without nested ones are sorted, and then their structural characters are replaced by control characters, which JSON text does not
// contain. The structural characters in strings are replaced first. A lambda must not use a large value from outside, which the
// engine copies for each element.

/** Returns JSON text with sorted object keys; a value that is not an array or object is converted to a string. */
export function canonicalJson(value: Value): Value {
  const plain = shown(value)
  if (value.type !== 'dynamic') return plain
  const canonical = once(sql`ifNull(${value.sql}, '')`, (d) => {
    const isNested = sql`(startsWith(${d}, '{') OR startsWith(${d}, '['))`
    const other = sql`ifNull(${asText({ sql: d, type: 'dynamic', nullable: false })}, '')`
    return sql`multiIf(${isNested}, ${folded(d)}, ${d} = '', '', ${other})`
  })
  return { sql: canonical, type: 'string', nullable: false }
}

const STRING = text('"(?:[^"\\\\]|\\\\.)*"')
const INNERMOST = text('\\[[^\\[\\]{}]*\\]|\\{[^\\[\\]{}]*\\}')

const STRUCTURE = text('{}[],:')
const HIDDEN = text('\x01\x02\x03\x04\x05\x06')
/** Stands for an object or array. */
const NESTED = text('\x07')

function hide(json: Sql): Sql {
  return sql`translate(${json}, ${STRUCTURE}, ${HIDDEN})`
}

function show(json: Sql): Sql {
  return sql`translate(${json}, ${HIDDEN}, ${STRUCTURE})`
}

function folded(document: Sql): Sql {
  const strings = sql`extractAll(${document}, ${STRING})`
  const skeleton = sql`replaceRegexpAll(${document}, ${STRING}, '"')`
  const between = sql`splitByChar('"', replaceRegexpAll(${skeleton}, '\\\\s', ''))`
  const flat = alternating(between, strings, hide)
  const levels = sql`arrayMap(sign -> if(sign IN ('{', '['), 1, -1), extractAll(${skeleton}, '[{}\\\\[\\\\]]'))`
  const depth = sql`toUInt32(arrayMax(arrayCumSum(${levels})))`
  return show(sql`arrayFold((state, level) -> ${step(sql`state`)}, range(${depth}), ${flat})`)
}

/** Sorts the members of the objects without nested ones, and hides the structure of these objects and of such arrays. */
function step(state: Sql): Sql {
  const inner = sql`extractAll(${state}, ${INNERMOST})`
  const outside = sql`splitByChar(${NESTED}, replaceRegexpAll(${state}, ${INNERMOST}, ${NESTED}))`
  return alternating(outside, inner, rendered)
}

/** Joins texts and changed others in turn; there is one text more than others. */
function alternating(texts: Sql, others: Sql, change: (other: Sql) => Sql): Sql {
  const pair = sql`concat(piece, ${change(sql`other`)})`
  return sql`arrayStringConcat(arrayMap((piece, other) -> ${pair}, ${texts}, arrayPushBack(${others}, '')))`
}

function rendered(nested: Sql): Sql {
  const members = sql`splitByChar(',', substring(${nested}, 2, length(${nested}) - 2))`
  const key = sql`JSONExtractString(${show(sql`splitByChar(':', member)[1]`)})`
  const sorted = sql`arrayStringConcat(arraySort(member -> ${key}, ${members}), ',')`
  const ordered = sql`if(startsWith(${nested}, '{'), concat('{', ${sorted}, '}'), ${nested})`
  return hide(ordered)
}
