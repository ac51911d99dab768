// The patterns under which rare messages are summed. Frequent words at their positions stay and the others become `*`, as in SLCT
// (R. Vaarandi, A data clustering algorithm for mining patterns from event logs, 2003). A message whose frequent words are not
// together in enough others is tried again with its more frequent words only.
import { list, raw, type Sql, sql, text } from '../sql.js'
import { constant } from '../value.js'

/** The pattern of messages that have nothing frequent in common. */
const REST = '*'

/** A word, as this expression has it, ends at white space or punctuation; `-` and `_` are parts of words. */
const SEPARATORS = '\\s/=:.,;()\\[\\]{}"\'<>|&?!#@$%^+~`\\\\'
const WORD = `[^${SEPARATORS}]+`
/** A word with what separates it from the next one. */
const TOKEN = `${WORD}[${SEPARATORS}]*|^[${SEPARATORS}]+`

/** The limits of the words of one message; the more rare messages there are, the fewer words are looked at in each. */
const MOST_WORDS = 24
const FEWEST_WORDS = 4
const WORDS_IN_ALL = 1_500_000

/** The share of a word that stays in each attempt, as a multiple of the threshold. */
const ATTEMPTS = [1, 3, 10, 30, 100]

/** Messages and what is known of them: a SELECT with the columns `mask` (nullable), `weight` and `least`. */
interface MessageMasks {
  readonly masks: Sql
  /** The share of all messages below which a pattern is rare. */
  readonly threshold: number
}

/** Returns a SELECT of the columns `name` (the pattern), `weight`, `least` and `total`, with several rows for some names. */
export function namedPatterns({ masks, threshold }: MessageMasks): Sql {
  const words = raw(ATTEMPTS.map((_, i) => `name${i}`).join(', '))
  const distinct = sql`SELECT isRare, if(isRare, '', mask) AS own, ${words}, sum(weight) AS weight, min(least) AS least, any(total) AS total FROM (${candidates(masks, threshold)}) GROUP BY isRare, own, ${words}`
  return sql`SELECT ${chosen(raw('own'))} AS name, weight, least, total FROM (${summed(distinct, threshold)})`
}

/** Returns a SELECT of each mask and the name of its pattern: the columns `mask` and `name`. */
export function patternOfMask({ masks, threshold }: MessageMasks): Sql {
  return sql`SELECT mask, ${chosen(raw('mask'))} AS name FROM (${summed(candidates(masks, threshold), threshold)})`
}

/** The mask of a frequent message; of a rare one, its most specific name that is not rare. */
function chosen(own: Sql): Sql {
  const name = nameBefore(ATTEMPTS.length)
  return sql`multiIf(NOT isRare, ${own}, match(${name}, '[\\\\pL\\\\pN]'), ${name}, ${text(REST)})`
}

/** The name that one of the first attempts has found. */
function nameBefore(attempt: number): Sql {
  const found = ATTEMPTS.slice(0, attempt).map((_, i) => raw(`isEnough${i}, name${i}`))
  return found.length === 0 ? text(REST) : sql`multiIf(${list([...found, text(REST)])})`
}

/** Adds for each attempt that its name has enough messages, of those that have no other name before. */
function summed(names: Sql, threshold: number): Sql {
  const share = constant('real', threshold).sql
  return ATTEMPTS.reduce((inner, _, i) => {
    const name = raw(`name${i}`)
    const before = nameBefore(i)
    const isOpen = sql`isRare AND ${before} IN (${text(REST)}, ${name})`
    return sql`SELECT *, sum(if(${isOpen}, weight, 0)) OVER (PARTITION BY ${name}) / total >= ${share} AS ${raw(`isEnough${i}`)} FROM (${inner})`
  }, names)
}

/** Adds to each mask the names of the attempts. */
function candidates(masks: Sql, threshold: number): Sql {
  const share = constant('real', threshold).sql
  const weighed = sql`SELECT *, weight / total < ${share} AS isRare FROM (SELECT *, sum(weight) OVER () AS total FROM (${masks}))`
  const room = sql`least(${MOST_WORDS}, greatest(${FEWEST_WORDS}, intDiv(${WORDS_IN_ALL}, 1 + sum(isRare) OVER ())))`
  const divided = sql`SELECT *, if(isRare, extractAll(ifNull(mask, ''), ${text(TOKEN)}), []) AS words, ${room} AS room FROM (${weighed})`
  const cut = sql`SELECT * EXCEPT words, arraySlice(words, 1, room) AS tokens, length(words) > room AS isCut, sipHash128(mask) AS id FROM (${divided})`
  // Sorting hashes is much faster than sorting words; the texts of a mask come along with its first word only.
  const first = (column: string, empty: string) =>
    raw(`if(position <= 1, ${column}, ${empty}) AS ${column}_`)
  const exploded = sql`SELECT id, isRare, weight, total, isCut, position, cityHash64(position, token) AS word, ${first('mask', "''")}, ${first('least', "''")}, ${first('tokens', '[]')} FROM (${cut}) LEFT ARRAY JOIN tokens AS token, arrayEnumerate(tokens) AS position`
  const shared = sql`SELECT *, sum(if(isRare, weight, 0)) OVER (PARTITION BY word) / total AS share FROM (${exploded})`
  const masksAgain = sql`SELECT isRare, isCut, weight, total, max(mask_) AS mask, max(least_) AS least, max(tokens_) AS tokens, arrayMap(x -> x.2, arraySort(groupArrayIf((position, share), position > 0))) AS shares, arrayMap((token, i) -> if(i = length(tokens) AND NOT isCut, '*', replaceRegexpOne(token, ${text(`^${WORD}`)}, '*')), tokens, arrayEnumerate(tokens)) AS stars FROM (${shared}) GROUP BY id, isRare, isCut, weight, total`
  const names = ATTEMPTS.map((factor, i) => {
    const least = constant('real', threshold * factor).sql
    return sql`${nameOf(least)} AS ${raw(`name${i}`)}`
  })
  return sql`SELECT isRare, mask, weight, least, total, ${list(names)} FROM (${masksAgain})`
}

/** The words with at least this share; of consecutive others, one `*`. */
function nameOf(least: Sql): Sql {
  const isStar = sql`arrayMap((token, star, share) -> token = star OR share < ${least}, tokens, stars, shares)`
  const followed = sql`arraySlice(arrayPushBack(${isStar}, isCut), 2)`
  const shown = sql`arrayMap((token, star, isStar) -> if(isStar, star, token), tokens, stars, ${isStar})`
  return sql`concat(arrayStringConcat(arrayFilter((one, isStar, isFollowed) -> NOT (isStar AND isFollowed), ${shown}, ${isStar}, ${followed})), if(isCut, '*', ''))`
}
