import type { Type } from '../../apl/type.js'
import { type Sql, sql, text } from '../sql.js'
import { convert, json } from '../type/convert.js'
import { jsonArray } from '../type/json-array.js'
import { constant, derived, nullable, type Value } from '../value.js'
import { type FunctionRow, plain } from './row.js'

export const GENAI_SQL = {
  genai_concat_contents: ([messages, separator]) => {
    const hasContent = sql`arrayFilter(m -> isNotNull(nullIf(nullIf(JSONExtractRaw(m, 'content'), ''), 'null')), ms)`
    // The engine joins with constant separators only: each content is prefixed with its separator, and the first prefix is removed.
    const contents = sql`arrayMap(m -> concat(a, ${contentOf(sql`m`)}), ${hasContent})`
    const between = separator ?? constant('string', ' ')
    return ofMessages(
      'string',
      messages,
      sql`substring(arrayStringConcat(${contents}), length(a) + 1)`,
      between,
    )
  },
  genai_conversation_turns: ([messages]) =>
    ofMessages('int', messages, sql`toInt64(arrayCount(m -> ${isRole('user')}, ms))`),
  genai_estimate_tokens: plain('int', (s) => sql`toInt64(ceil(lengthUTF8(${s}) / 4))`),
  genai_extract_assistant_response: ([messages]) => contentOfLast('assistant', messages),
  genai_extract_function_results: ([messages]) => {
    const results = sql`arrayMap(m -> JSONExtractRaw(m, 'content'), arrayFilter(m -> ${isRole('tool')} OR ${isRole('function')}, ms))`
    return ofMessages('dynamic', messages, someOf(results))
  },
  genai_extract_system_prompt: ([messages]) =>
    ofMessages('string', messages, contentOf(sql`arrayFirst(m -> ${isRole('system')}, ms)`)),
  genai_extract_tool_calls: ([messages]) => {
    const calls = sql`arrayFlatten(arrayMap(m -> JSONExtractArrayRaw(m, 'tool_calls'), ms))`
    return ofMessages('dynamic', messages, someOf(calls))
  },
  genai_extract_user_prompt: ([messages]) => contentOfLast('user', messages),
  genai_get_content_by_index: ([messages, index]) =>
    ofMessages('string', messages, contentOf(AT_INDEX), index),
  genai_get_content_by_role: ([messages, role]) => {
    const found = sql`arrayFirst(m -> JSONExtractString(m, 'role') = a, ms)`
    return ofMessages('string', messages, contentOf(found), role)
  },
  genai_get_role: ([messages, index]) =>
    ofMessages('string', messages, sql`JSONExtractString(${AT_INDEX}, 'role')`, index),
  genai_has_tool_calls: ([messages]) => {
    const calls = sql`notEmpty(JSONExtractArrayRaw(m, 'tool_calls'))`
    const call = sql`JSONType(m, 'function_call') = 'Object'`
    return ofMessages('bool', messages, sql`arrayExists(m -> ${calls} OR ${call}, ms)`)
  },
  genai_is_truncated: ([, reason]) => isTruncated(reason!),
  genai_message_roles: ([messages]) => {
    const roles = sql`arrayMap(m -> ${json(sql`JSONExtractString(m, 'role')`)}, ms)`
    return ofMessages('dynamic', messages, jsonArray(roles))
  },
} satisfies Record<string, FunctionRow>

/** The message at the index `a`; the empty string when it is out of range or null. */
const AT_INDEX = sql`if(a >= 0, arrayElement(ms, toInt64(a) + 1), '')`

/** Applies a function to the messages `ms`, JSON texts, and to `a`; null for a non-array, or when an argument is null. */
function ofMessages(type: Type, messages: Value | undefined, result: Sql, a?: Value): Value {
  const all = sql`arrayMap(ms -> ${result}, [JSONExtractArrayRaw(ifNull(d, ''))])[1]`
  const isArray = sql`match(ifNull(d, ''), '^\\\\s*\\\\[')`
  // Bound outside, because aggregates are not allowed inside a lambda.
  const document = sql`[toNullable(${documentOf(messages!)})]`
  if (!a) return nullable(type, sql`arrayMap(d -> if(${isArray}, ${all}, NULL), ${document})[1]`)
  const given = sql`[assumeNotNull(${a.sql})], [isNotNull(${a.sql})]`
  const body = sql`if(${isArray} AND given, ${all}, NULL)`
  return nullable(type, sql`arrayMap((d, a, given) -> ${body}, ${document}, ${given})[1]`)
}

/** Messages inside a string are parsed like any others. */
function documentOf({ type, sql: value }: Value): Sql {
  if (type === 'string') return value
  return sql`arrayMap(d -> if(startsWith(d, '"'), JSONExtractString(d), d), [toNullable(${value})])[1]`
}

/** Returns the content of a message as a string: it is a string already, or an array of parts, some of which have a text. */
function contentOf(message: Sql): Sql {
  const parts = sql`arrayMap(p -> JSONExtractString(p, 'text'), JSONExtractArrayRaw(m, 'content'))`
  const content = sql`if(JSONType(m, 'content') = 'Array', arrayStringConcat(${parts}), JSONExtractString(m, 'content'))`
  return sql`arrayMap(m -> ${content}, [${message}])[1]`
}

function contentOfLast(role: string, messages: Value | undefined): Value {
  return ofMessages('string', messages, contentOf(sql`arrayLast(m -> ${isRole(role)}, ms)`))
}

function isRole(role: string): Sql {
  return sql`JSONExtractString(m, 'role') = ${text(role)}`
}

/** Converts an array of JSON texts to a dynamic array; null for an empty one. */
function someOf(elements: Sql): Sql {
  return sql`if(empty(${elements}), NULL, ${jsonArray(elements)})`
}

function isTruncated(reason: Value): Value {
  if (reason.type === 'string') return derived('bool', sql`(${reason.sql} = 'length')`, [reason])
  const text = convert(reason, 'dynamic').sql
  const isOne = sql`(d = '"length"' OR has(JSONExtractArrayRaw(ifNull(d, '')), '"length"'))`
  return nullable('bool', sql`arrayMap(d -> ${isOne}, [toNullable(${text})])[1]`)
}
