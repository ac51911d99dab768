import { insideQuotes } from './quoted-name.js'

/** A string that is being typed as the value of a field. */
export interface OpenValue {
  readonly field: string
  /** The quote and the text after it. */
  readonly written: string
  readonly quote: string
  readonly prefix: string
}

const FIELD = String.raw`(?:\[\s*'(?<single>[^'\n]+)'\s*\]|\[\s*"(?<double>[^"\n]+)"\s*\]|(?<bare>[\p{L}_][\p{L}\p{N}_.]*))`
const STRING = String.raw`(?:"[^"\n]*"|'[^'\n]*')`
const BETWEEN = '(?:==|!=|=~|!~|!?(?:contains|startswith|endswith|has|hasprefix|hassuffix)(?:_cs)?)'
const LIST = String.raw`!?in~?\s*\((?:\s*${STRING}\s*,)*`
const OPEN_VALUE = new RegExp(
  String.raw`${FIELD}\s*(?:${BETWEEN}|${LIST})\s*(?<written>(?<quote>["'])(?<prefix>[^"'\\\n]*))$`,
  'u',
)

/** Returns the unfinished string at the end of a text, if it is compared with a field; undefined otherwise. */
export function openValue(text: string): OpenValue | undefined {
  const found = OPEN_VALUE.exec(text)?.groups
  if (found === undefined) return undefined
  const { single, double, bare, written = '', quote = '"', prefix = '' } = found
  return { field: single ?? double ?? bare ?? '', written, quote, prefix }
}

/** The maximum length of a value that is offered. */
const MAX_LENGTH = 100

/** Returns values as strings of APL in this quote, in the same order, without long values and values with control characters. */
export function quotedValues(values: readonly string[], quote: string): readonly string[] {
  const isTyped = (value: string) => value.length <= MAX_LENGTH && !/\p{Cc}/u.test(value)
  return values.filter(isTyped).map((value) => quote + insideQuotes(value, quote) + quote)
}
