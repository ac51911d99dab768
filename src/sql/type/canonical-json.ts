import { type Sql, sql, text } from '../sql.js'
import { once, type Value } from '../value.js'
import { asText, shown } from './convert.js'

// Objects nest to any depth, and the engine has no recursion. The text is therefore reduced from the
// inside: each string becomes a number between `#` signs, then each object or array without nested
// ones, its members sorted, until one number is left. The table of what the numbers represent is
// kept separately.

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

function folded(document: Sql): Sql {
  const strings = sql`extractAll(${document}, ${STRING})`
  const skeleton = sql`replaceRegexpAll(${document}, ${STRING}, '"')`
  const between = sql`splitByChar('"', replaceRegexpAll(${skeleton}, '\\\\s', ''))`
  const numbered = sql`arrayStringConcat(arrayMap((piece, i) -> if(i = 1, piece, concat('#', toString(i - 1), '#', piece)), ${between}, arrayEnumerate(${between})))`
  const levels = sql`arrayMap(sign -> if(sign IN ('{', '['), 1, -1), extractAll(${skeleton}, '[{}\\\\[\\\\]]'))`
  const depth = sql`toUInt32(arrayMax(arrayCumSum(${levels})))`
  const fold = sql`arrayFold((state, level) -> ${step()}, range(${depth}), (${numbered}, ${strings}))`
  return sql`arrayElement(tupleElement(${fold}, 2), -1)`
}

/** Reduces one level: renders values without nested ones and replaces them with numbers. */
function step(): Sql {
  const inner = sql`extractAll(state.1, ${INNERMOST})`
  const outside = sql`splitByChar('"', replaceRegexpAll(state.1, ${INNERMOST}, '"'))`
  const number = sql`toString(length(state.2) + i - 1)`
  const rest = sql`arrayStringConcat(arrayMap((piece, i) -> if(i = 1, piece, concat('#', ${number}, '#', piece)), ${outside}, arrayEnumerate(${outside})))`
  return sql`(${rest}, arrayConcat(state.2, arrayMap(nested -> ${rendered()}, ${inner})))`
}

function rendered(): Sql {
  const members = sql`splitByChar(',', substring(nested, 2, length(nested) - 2))`
  const key = sql`JSONExtractString(state.2[toUInt32OrZero(extract(member, '#([0-9]+)#'))])`
  const sorted = sql`arrayStringConcat(arraySort(member -> ${key}, ${members}), ',')`
  const ordered = sql`if(startsWith(nested, '{'), concat('{', ${sorted}, '}'), nested)`
  const pieces = sql`splitByChar('#', ${ordered})`
  return sql`arrayStringConcat(arrayMap((piece, i) -> if(i % 2 = 0, state.2[toUInt32OrZero(piece)], piece), ${pieces}, arrayEnumerate(${pieces})))`
}
