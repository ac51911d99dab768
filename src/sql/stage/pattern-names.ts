// The patterns under which rare messages are summed. Frequent words at their positions stay and the others become `*`, as in SLCT
// (R. Vaarandi, A data clustering algorithm for mining patterns from event logs, 2003). A message whose frequent words are not
// together in enough others is tried again with its more frequent words only.
import { list, raw, type Sql, sql, text } from '../sql.js'
import { constant } from '../value.js'

/** The pattern of messages that have nothing frequent in common. */
const REST = '*'

/** A word ends at white space or punctuation; `-` and `_` are parts of words. */
const SEPARATORS = '\\s/=:.,;()\\[\\]{}"\'<>|&?!#@$%^+~`\\\\'
const WORD = `[^${SEPARATORS}]+`
/** A word and the separators after it. */
const TOKEN = `${WORD}[${SEPARATORS}]*|^[${SEPARATORS}]+`

/** The limits of the words of one message; the more rare messages there are, the fewer words of each are examined. */
const MOST_WORDS = 24
const FEWEST_WORDS = 3
const WORDS_IN_ALL = 1_500_000

/** The share of a word that stays in each attempt, as a multiple of the threshold. */
const ATTEMPTS = [1, 3, 12, 48]

// The masks of messages are a SELECT with the columns `mask` (nullable), `weight` and `least`. The threshold is the share of all
// messages below which a pattern is rare.

/** Returns a SELECT of the columns `name` (the pattern), `weight`, `least` and `total`, with several rows for some names. */
export function namedPatterns(masks: Sql, threshold: number): Sql {
  const words = raw(ATTEMPTS.map((_, i) => `name${i}`).join(', '))
  const distinct = sql`SELECT isRare, if(isRare, '', mask) AS own, ${words}, sum(weight) AS weight, min(least) AS least, any(total) AS total FROM (${candidates(masks, threshold)}) GROUP BY isRare, own, ${words}`
  return sql`SELECT ${chosen(raw('own'))} AS name, weight, least, total FROM (${summed(distinct, threshold)})`
}

/** Returns a SELECT of each mask and the name of its pattern: the columns `mask` and `name`. */
export function patternOfMask(masks: Sql, threshold: number): Sql {
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

/** Adds a column for each attempt: true when its name has enough messages, not counting messages with an earlier name. */
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
  const counted = sql`SELECT *, ${room} AS room FROM (${weighed})`
  const words = sql`arraySlice(extractAll(ifNull(mask, ''), ${text(TOKEN)}), 1, if(isRare, room + 1, 0))`
  // The texts of a mask come along with its first word only.
  const first = (column: string) => raw(`if(position <= 1, ${column}, '') AS ${column}_`)
  const exploded = sql`SELECT sipHash128(mask) AS id, isRare, weight, total, room, position, cityHash64(position, token) AS word, ${first('mask')}, ${first('least')} FROM (SELECT *, ${words} AS words FROM (${counted})) LEFT ARRAY JOIN words AS token, arrayEnumerate(words) AS position`
  // Grouping and joining again is much faster than a window: most words are in few masks.
  const shared = sql`SELECT sum(if(isRare, weight, 0)) / any(total) AS share, groupArray((id, isRare, weight, total, room, mask_, least_, position)) AS uses FROM (${exploded}) GROUP BY word`
  const again = sql`SELECT use.2 AS isRare, use.3 AS weight, use.4 AS total, use.5 AS room, max(use.6) AS mask, max(use.7) AS least, arraySlice(arrayMap(x -> x.2, arraySort(groupArrayIf((use.8, share), use.8 > 0))), 1, room) AS shares FROM (${shared}) ARRAY JOIN uses AS use GROUP BY use.1, isRare, weight, total, room`
  const divided = sql`SELECT *, ${words} AS all, length(all) > room AS isCut, arraySlice(all, 1, room) AS tokens FROM (${again})`
  const starred = sql`SELECT *, arrayMap((token, i) -> if(i = length(tokens) AND NOT isCut, '*', replaceRegexpOne(token, ${text(`^${WORD}`)}, '*')), tokens, arrayEnumerate(tokens)) AS stars FROM (${divided})`
  const names = ATTEMPTS.map((factor, i) => {
    const least = constant('real', threshold * factor).sql
    return sql`${nameOf(least)} AS ${raw(`name${i}`)}`
  })
  return sql`SELECT isRare, mask, weight, least, total, ${list(names)} FROM (${starred})`
}

/** Returns the words with at least this share, and one `*` for each run of other words. */
function nameOf(least: Sql): Sql {
  const isStar = sql`arrayMap((token, star, share) -> token = star OR share < ${least}, tokens, stars, shares)`
  const followed = sql`arraySlice(arrayPushBack(${isStar}, isCut), 2)`
  const shown = sql`arrayMap((token, star, isStar) -> if(isStar, star, token), tokens, stars, ${isStar})`
  return sql`concat(arrayStringConcat(arrayFilter((one, isStar, isFollowed) -> NOT (isStar AND isFollowed), ${shown}, ${isStar}, ${followed})), if(isCut, '*', ''))`
}
