import { type Sql, sql, text } from '../sql.js'
import { once } from '../value.js'
import { present, presentOrNull } from './present.js'
import { type FunctionRow, plain } from './row.js'

export const ENCODING_SQL = {
  base64_decode_toarray: (values) =>
    present('dynamic', values, (s) => units(sql`tryBase64Decode(${s!})`, 'UInt8')),
  base64_decode_tostring: plain('string', (s) => sql`tryBase64Decode(${s})`),
  base64_encode_fromarray: (values) => present('string', values, (d) => once(d!, base64OfBytes)),
  base64_encode_tostring: plain('string', (s) => sql`base64Encode(${s})`),
  quote: (values) => present('string', values, (s) => sql`toJSONString(${s!})`),
  unicode_codepoints_from_string: (values) =>
    present('dynamic', values, (s) =>
      units(sql`convertCharset(${s!}, 'UTF-8', 'UTF-32LE')`, 'UInt32'),
    ),
  unicode_codepoints_to_string: (values) =>
    presentOrNull('string', values, (d) => once(d!, textOfCodePoints)),
  url_decode: plain('string', (s) => sql`decodeURLComponent(${s})`),
  url_encode: plain('string', (s) => sql`encodeURLComponent(${s})`),
} satisfies Record<string, FunctionRow>

/** Returns the bytes of a string as a JSON array of integers of a type. */
function units(source: Sql, type: 'UInt8' | 'UInt32'): Sql {
  return sql`toJSONString(reinterpret(${source}, ${text(`Array(${type})`)}))`
}

function base64OfBytes(array: Sql): Sql {
  const items = sql`JSONExtractArrayRaw(${array})`
  const areBytes = sql`arrayAll(item -> match(item, '^[0-9]{1,3}$') AND toUInt16OrZero(item) < 256, ${items})`
  const text = sql`arrayStringConcat(arrayMap(item -> char(toUInt16OrZero(item)), ${items}))`
  return sql`if(startsWith(${array}, '[') AND ${areBytes}, base64Encode(${text}), '')`
}

function textOfCodePoints(array: Sql): Sql {
  const items = sql`JSONExtractArrayRaw(${array})`
  const isOne = sql`match(item, '^[0-9]{1,7}$') AND toUInt32OrZero(item) < 1114112 AND NOT (toUInt32OrZero(item) BETWEEN 55296 AND 57343)`
  const text = sql`arrayStringConcat(arrayMap(item -> ${utf8(sql`toUInt32OrZero(item)`)}, ${items}))`
  return sql`if(startsWith(${array}, '[') AND arrayAll(item -> ${isOne}, ${items}), ${text}, NULL)`
}

/** The UTF-8 bytes of one character. */
function utf8(c: Sql): Sql {
  const tail = (shift: number) => sql`128 + bitAnd(bitShiftRight(${c}, ${shift}), 63)`
  const two = sql`char(192 + bitShiftRight(${c}, 6), ${tail(0)})`
  const three = sql`char(224 + bitShiftRight(${c}, 12), ${tail(6)}, ${tail(0)})`
  const four = sql`char(240 + bitShiftRight(${c}, 18), ${tail(12)}, ${tail(6)}, ${tail(0)})`
  return sql`multiIf(${c} < 128, char(${c}), ${c} < 2048, ${two}, ${c} < 65536, ${three}, ${four})`
}
