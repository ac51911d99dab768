import { compileFor, fieldOf, matchPattern, translated } from './compiled-format.js'
import { laterLevel } from './later-level.js'
import type { LineFormat } from './line-format.js'
import { mayMatch } from './prefilter.js'

/** Words with which messages begin: levels, errors, the outcomes of steps, keys; and ids and source files. */
const NO_NAME =
  '(?i:trace|debug|info|notice|warn(?:ing)?|err(?:or)?|severe|crit(?:ical)?|alert|emerg|fatal|panic|success|ok|pass(?:ed)?|fail(?:ed|ure)?|skip(?:ped)?|done|note|tip|hint|todo|msg|message|true|false|yes|no|null)(?![\\w.:@/-])|[\\w.$]{0,60}(?:Error|Exception|Warning)(?![\\w.])|(?=[a-f]{0,40}\\d)[a-f\\d]{6,40}(?![\\w.])|[\\w./-]{1,80}\\.%{EXTENSION}\\b'
const NAME = `(?!${NO_NAME})[A-Za-z_](?:[\\w.$@#-]|::?(?=[A-Za-z_])){0,80}`
/** A name in brackets, which may have several words. */
const BRACKETED = `${NAME}(?:[ /][A-Za-z_][\\w.$@#:-]{0,40}){0,2}`
const AFTER_BRACKET = '(?: ?[:-])?(?: {1,8}|$|(?=\\[))'
/** A name without brackets. A word with a capital may begin a sentence. */
const BARE = `(?![A-Z][a-z]+ ?[:(-])${NAME}`
/** The usual names of threads. */
const THREAD =
  '(?:main|MainThread|[a-z]+(?:-[a-z]+)+(?![\\w-])|[A-Za-z][\\w-]{0,60}-\\d{1,6}(?![\\w-])|[A-Za-z]+\\(\\d+\\))'

/** A place of the name of a component in front of a message. */
interface Place {
  /** A grok pattern, whose first field is the name. */
  readonly grok: string
  /** The share of the messages that must have a name in this place. */
  readonly leastShare: number
  /** True when messages without a name may begin alike. */
  readonly isBare?: boolean
  /** True when the level is after the name. */
  readonly isBeforeLevel?: boolean
  /** True when the number is the process. A name with several numbers is a function, and the numbers are lines of its source. */
  readonly isProcess?: boolean
}

/** A level after a name, and the text up to the message. */
const LEVEL_AFTER =
  '(?: ?(?:::?|\\|)| -)?[ \\t]{0,20}(?:[\\[(<|] ?(?:%{LEVEL:level}|%{SHORT_LEVEL:level}) {0,8}[\\])>|]|%{CAPITAL_LEVEL:level}(?![\\w.=/-]))(?: ?[:|]| -{1,2}>?)?(?: {1,8}|$)'

/** The places, of which the first one with enough names is chosen. */
const PLACES: readonly Place[] = [
  {
    grok: `(?:[[(<] ?(?<thread>${THREAD}) {0,20}[\\])>]|(?<thread>${THREAD}))${LEVEL_AFTER}`,
    leastShare: 0.9,
    isBeforeLevel: true,
  },
  {
    grok: `(?:[[(<] ?(?<logger>${BRACKETED}) {0,20}[\\])>]|(?<logger>${NAME})(?![\\w.]))${LEVEL_AFTER}`,
    leastShare: 0.9,
    isBeforeLevel: true,
  },
  {
    grok: `\\[(?<logger>${BRACKETED})\\]\\[(?<component>${BRACKETED})\\]${AFTER_BRACKET}`,
    leastShare: 0.9,
  },
  { grok: `\\[(?<logger>${BRACKETED})\\] \\[%{INT:pid:long}\\]${AFTER_BRACKET}`, leastShare: 0.9 },
  {
    grok: `\\[(?<thread>[^\\]\\n]{1,60})\\] {1,4}(?<logger>(?=[\\w$-]{1,60}\\.)${BARE})(?: ?:| -) {1,8}`,
    leastShare: 0.9,
  },
  { grok: `\\[ ?(?<thread>${THREAD}) {0,20}\\]${AFTER_BRACKET}`, leastShare: 0.6 },
  { grok: `[[({] ?(?<logger>${BRACKETED}) {0,20}[\\])}]${AFTER_BRACKET}`, leastShare: 0.6 },
  { grok: `(?<logger>${BARE}) ?\\(%{INT:pid:long}\\):? {1,4}`, leastShare: 0.9, isProcess: true },
  { grok: `(?<thread>${THREAD}) {1,40}(?<logger>${BARE}): {1,8}`, leastShare: 0.9, isBare: true },
  { grok: `(?<logger>${BARE}) ?(?:(?:::?|>) {1,8}|\\| {0,8})`, leastShare: 0.9, isBare: true },
  { grok: `(?<logger>${BARE}) {1,40}- {1,4}`, leastShare: 0.9, isBare: true },
]

const COMPARED_LINES = 80
const MAX_LINE = 2048
/** A beginning with a bracket or a sign. Without one, the expressions of the places need not be compiled. */
const POSSIBLE =
  /^(?:[[({<]|\S{1,80}:(?: |$)|[^\s|]{1,80}\||\S{1,80} {1,20}(?:[:|>(<[-]|[A-Z]{3}|\S{1,80}: ))/
const LEAST_NAMES = 4
/** The number of names that must occur again: ids and words of sentences rarely do. */
const LEAST_REPEATED = 2
const MOST_DISTINCT = 0.7
/** A message, but not the value of a key. */
const WORDS = /^\S+ +\S/
/** Another pair of a key and a value. */
const PAIR = /, [a-z]\w{0,40}: /
const MESSAGE = /%\{(?:MESSAGE|LEVELED):message\}$/

/**
 * Returns the patterns of a format with the name of a component in front of the message, if the names of a few components are in
 * the same place of most messages of a sample.
 */
export function withLoggerNames(
  { patterns }: Pick<LineFormat, 'patterns'>,
  { sample, time }: { readonly sample: string; readonly time: string | undefined },
): readonly string[] {
  const plain = patterns.filter(
    (pattern) => MESSAGE.test(pattern) && !/[<:](?:logger|app)\b/.test(pattern),
  )
  const messages = sample.split('\n', COMPARED_LINES).flatMap((whole): Message | [] => {
    const line = whole.slice(0, MAX_LINE)
    for (const pattern of plain) {
      if (!mayMatch(pattern, line, time)) continue
      const compiled = compileFor(pattern, time)
      const match = matchPattern(compiled, line)
      if (match !== null) {
        const { hasLaterLevel } = compiled
        return { text: fieldOf(compiled, match, 'message') ?? '', hasLaterLevel }
      }
    }
    return []
  })
  const possible = messages.filter(({ text }) => POSSIBLE.test(text))
  if (possible.length * 2 < messages.length) return patterns
  const place = PLACES.find((one) => hasNames(messages, one))
  if (place === undefined) return patterns
  const { grok, isBeforeLevel = false } = place
  const added = fieldNames(grok)
  return patterns.flatMap((pattern) => {
    const isFree = fieldNames(pattern).every((name) => !added.includes(name))
    if (!plain.includes(pattern) || !isFree) return pattern
    if (isBeforeLevel) return [pattern.replace(MESSAGE, () => `${grok}%{MESSAGE:message}`), pattern]
    return pattern.replace(MESSAGE, (message) => `(?:${grok})?${message}`)
  })
}

function fieldNames(grok: string): readonly string[] {
  return translated(grok).fields.map(({ name }) => name)
}

interface Message {
  readonly text: string
  /** True when its level is a word of the message. */
  readonly hasLaterLevel: boolean
}

/** True when most messages begin with a name, and few names recur in front of different messages. */
function hasNames(messages: readonly Message[], place: Place): boolean {
  const { grok, leastShare, isBare, isBeforeLevel = false, isProcess } = place
  const compiled = compileFor(`${grok}%{MESSAGE:message}`)
  const matches = messages.flatMap(({ text, hasLaterLevel }) => {
    const match = isBeforeLevel && !hasLaterLevel ? null : matchPattern(compiled, text)
    if (match === null) return []
    const process = `${match[1]}(${match[2]})`
    return { name: match[1] ?? match[2]!, process, text, rest: match.at(-1)!, hasLaterLevel }
  })
  if (matches.length < Math.max(LEAST_NAMES, messages.length * leastShare)) return false
  const names = new Set(matches.map(({ name }) => name))
  if (names.size > matches.length * MOST_DISTINCT) return false
  if (matches.length - names.size < LEAST_REPEATED) return false
  if (isProcess && new Set(matches.map(({ process }) => process)).size > names.size) return false
  // Without the name, a level in the message would not be found.
  const isHidden = ({ hasLaterLevel, text, rest }: (typeof matches)[number]) =>
    hasLaterLevel && levelIn(text) !== levelIn(rest)
  if (!isBeforeLevel && matches.some(isHidden)) return false
  const texts = matches.map(({ rest }) => rest)
  if (!isBare) return new Set(texts).size > 1
  const isNamed = names.size > 1 || [...names].some((name) => /[^a-z]/i.test(name))
  const ordinary = texts.filter((text) => WORDS.test(text) && !PAIR.test(text))
  return isNamed && ordinary.length * 2 > texts.length
}

function levelIn(text: string): string | undefined {
  return laterLevel({ text, from: 0, isTimed: true })
}
