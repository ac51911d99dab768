import { identifier, list, raw, type Sql, sql, text } from './sql.js'

// A token index has the words of string columns, and of `line`, for each granule of a part. A token is a run of ASCII letters and
// digits, in lower case; all other characters separate tokens, except characters that match a letter of ASCII without regard to case.

/** A skip index over the tokens of several columns together. */
export interface TokenIndex {
  /** Either columns of strings and of arrays, in the order of the index expression, or `line`. */
  readonly columns: readonly string[]
}

/** The column with the text of events. */
export const LINE = 'line'

/** True for a column of JSON texts. The name of a typed column ends in its type. */
export function isJson(column: string): boolean {
  return column === LINE || column.endsWith(':array')
}

/**
 * A token of each row whose JSON text has escapes of characters that can be in tokens, or characters that the engine writes as such
 * escapes: it may have tokens that are not in the index.
 */
export const ESCAPED_TOKEN = 'evqescapedcharacters'

const MAY_HIDE_TOKENS = '\\\\u(?:00[0-7]|01[37]|212)|[\u2028\u2029]'
const ESCAPE = '\\\\(?:u[0-9a-fA-F]{4}|.)'

/**
 * Returns the array of the tokens of a row, which is the expression of the index. The engine recognizes it only with the same
 * arguments; `line` may be another name of the column. The engine shows the expression of an index as the same text.
 */
export function tokensOf({ columns }: TokenIndex, line: Sql = raw(LINE)): Sql {
  // Unlike `ifNull`, `assumeNotNull` copies nothing, also in rows whose tokens are not needed. A null may have tokens then.
  const strings = columns.flatMap((name) => {
    const column = name === LINE ? line : sql`assumeNotNull(${identifier(name)})`
    return isJson(name) ? textsOf(column) : [column]
  })
  const together =
    strings.length === 1 ? strings : [sql`concatWithSeparator(' ', ${list(strings)})`]
  const lower = sql`lower(${list(together)})`
  const folded = sql`replaceAll(replaceAll(${lower}, ${text('\u212a')}, 'k'), ${text('\u017f')}, 's')`
  return sql`extractAll(${folded}, '[a-z0-9]+')`
}

/**
 * Returns the texts with all tokens of a JSON text. A string has the tokens of its JSON text without escapes. A search in an array
 * searches its JSON text, in which the letter of an escape such as `\n` is a part of the next token.
 */
function textsOf(json: Sql): readonly Sql[] {
  const unescaped = sql`replaceRegexpAll(${json}, ${text(ESCAPE)}, ' ')`
  return [
    json,
    sql`if(match(${json}, ${text('\\\\')}), ${unescaped}, '')`,
    sql`if(match(${json}, ${text(MAY_HIDE_TOKENS)}), ${text(ESCAPED_TOKEN)}, '')`,
  ]
}
