import { matchAt } from '../../../text/match-at.js'
import { translateGrok } from '../pattern/compile-grok.js'
import { FORMAT_PATTERNS } from './patterns.js'

/** A place of a level, as grok patterns: the level with its surroundings, and the text that may precede it. */
interface Place {
  readonly level: string
  readonly before: string
  /** True when only lines with a time have such levels. */
  readonly isTimed?: boolean
}

/** A word or a number in front of a space or a bracket, or text in brackets; in a column, which may be wide. */
const WORD =
  '(?:(?:\\[[^\\]\\n]{0,100}\\]|\\([^)\\n]{0,100}\\)|[^\\s]{60}|[^\\s]{1,59}(?=[ \\t[(|]))[ \\t]{0,40}(?:\\|[ \\t]{1,8})?)'
/** The beginning of a word, up to a sign. Only the last word is divided: the ways to divide all words would be too many. */
const PART = '(?:[^\\s]{1,59}(?<![\\w.-])(?![ \\t[(|]))'
const FEW_WORDS = `${WORD}{0,2}?(?:${WORD}|${PART})?`
/** The end of a column in quotes. */
const QUOTE_END = '"[ \\t,;|]{1,4}'

/** The places of levels after other words. */
const PLACES: readonly Place[] = [
  // `SERVICE ALERT` of Nagios is an event, whatever the state of the service.
  {
    level:
      '(?:(?<![\\w.=-]|(?:HOST|SERVICE|FLAPPING|DOWNTIME) )|(?<=(?<![\\w.-])(?:level|lvl|severity|prio)=))%{LATER_LEVEL}',
    before: FEW_WORDS,
  },
  // `[net:warning]` of Bitcoin Core.
  { level: '%{LEVEL:level}\\] ', before: '\\[[\\w-]{1,30}:', isTimed: true },
  // Columns between commas, as in the log of a Brocade switch.
  { level: '%{CAPITAL_LEVEL:level}, ', before: '(?:[^,\\n]{1,40}, ){1,6}?' },
  // `[node1: disk.failed:error]` of NetApp ONTAP.
  { level: '%{LEVEL:level}\\]: ', before: '\\[[\\w.-]{1,60}: ?(?:\\w{1,60}: )?[\\w.-]{1,100}:' },
  // Between colons, after the name and the arguments of a program (rsnapshot) or its columns (NFS-Ganesha).
  {
    level: '(?<=: |:)%{CAPITAL_LEVEL:level}(?:: | :)',
    before: '(?:[^\\s]{1,60} ){4,9}?:?',
    isTimed: true,
  },
  // In front of a name after a slash.
  { level: '%{CAPITAL_LEVEL:level}/[A-Za-z][\\w.-]{0,60}: ', before: '', isTimed: true },
  // After a list of addresses: iRODS.
  {
    level: '%{CAPITAL_LEVEL:level}: ',
    before: '(?:[^\\s]{1,60} ){1,4}?(?:[\\w.:-]{1,60}, ){1,4}[\\w.:-]{1,60} ',
    isTimed: true,
  },
  // In a column after the milliseconds or the seconds since the start, and free memory: ESPEasy.
  {
    level: '%{TITLE_LEVEL:level}(?= {1,8}[:|] )',
    before: '[\\d.]{1,12} : (?:\\(\\d{1,9}\\) )?',
  },
  // After names with values in brackets: Cacti.
  {
    level: '%{CAPITAL_LEVEL:level}: ',
    before: '(?:\\w{1,40}:? )?(?:\\w{1,40}\\[[^\\]\\n]{1,60}\\] ){1,6}',
    isTimed: true,
  },
  // `macmnsvc(1234.5678) msgbus.Info: ` of Trellix.
  {
    level: '(?<=\\w\\.)%{TITLE_LEVEL:level}: ',
    before: `${WORD}{0,2}?[A-Za-z_]\\w{0,40}\\.`,
    isTimed: true,
  },
  // After the source line: Dionaea.
  {
    level: '(?<=:\\d{1,6}-)%{LEVEL:level}: ',
    before: '\\S{1,60} \\S{1,200}:\\d{1,6}-',
    isTimed: true,
  },
  // In a column, or in front of a source line of Go, only the first letter needs to be a capital.
  {
    level: '%{TITLE_LEVEL:level}(?= {2,40}\\S| [\\w/-]{1,60}\\.go:\\d)',
    before: FEW_WORDS,
    isTimed: true,
  },
  // Kurento writes it in small or capital letters, in a column with wide gaps on both sides.
  {
    level: '(?<= {2})%{COLUMN_LEVEL:level}(?= {2,8}[A-Z])',
    before: FEW_WORDS,
    isTimed: true,
  },
  // signale writes a sign, whose bytes are outside ASCII, in front of the column.
  {
    level: '(?<=[^\\0-~] {1,2})%{LEVEL:level}(?= {2,40}\\S| \\[| \\S{1,60} {2,40}\\S)',
    before: `(?:\\[[^\\]\\n]{1,60}\\] )?${FEW_WORDS}`,
    isTimed: true,
  },
  {
    level: '\\[(?:%{LEVEL:level}|%{SHORT_WORD:level})\\]',
    before: '(?:\\S{1,60}[ \\t]{1,8}){4,8}?',
  },
  // Kodi.
  { level: '%{COLUMN_LEVEL:level}(?= <[\\w.-]{1,60}>: )', before: FEW_WORDS, isTimed: true },
  // In an object at the end of a line.
  {
    level: '%{COLUMN_LEVEL:level}"',
    before:
      '(?:\\S{1,60} {1,8}){1,6}?\\{(?:"[\\w.@-]{1,40}": ?(?:"[^"\\n]{0,100}"|[^",\\n]{1,40}), ?){0,4}?"(?:level|lvl|severity|levelname)": ?"',
  },
  { level: '%{COLUMN_LEVEL:level} --? ', before: '(?:[^\\s]{1,60} {1,20}--? ){1,4}?' },
  // After the name of a TIBCO BusinessWorks process, or after brackets.
  {
    level: '%{COLUMN_LEVEL:level} {1,8}\\[',
    before: '(?:BW\\.[^\\s]{1,200} |(?:\\[[^\\]\\n]{0,60}\\] {1,8}){1,3}?)',
  },
  {
    level: `%{COLUMN_LEVEL:level}${QUOTE_END}"`,
    before: `(?:"[^"\\n]{0,60}${QUOTE_END}){0,4}?"`,
  },
  {
    level: '%{COLUMN_LEVEL:level}["\\s,;|]',
    before:
      '(?:\\[[^\\]\\n]{1,60}\\] )?(?:[\\w.-]{1,40}=(?:"[^"\\n]{0,200}"|[^\\s"]{1,60}) ){0,8}?(?:level|lvl|severity|prio)="?',
  },
]

/** A level stands at most this many characters after the beginning of a text. */
const MAX_BEFORE = 600
/** More words than any place allows. A bracket or a quote may contain further words. */
const MANY_WORDS = /\s*(?:[^\s[("]+\s+){10}/y

/** The beginnings of all levels of `PLACES`. Finding them takes a fraction of the time that matching the places takes. */
const LEVELISH =
  /\b(?:trace|debug|info|inf|nfo|noti|note|warn|err|severe|crit|cri|crt|alert|emerg|fat|panic|fine|config|log|success|dbg|dbug|debu|wrn|ftl|trc|trac|vrb|verbose|silly)|[[(<|] {0,4}[tdiwefcvn] {0,8}[\])>|:]/gi
/** The longest text that `LEVELISH` matches. */
const MAX_LEVELISH = 15

/** A bracket in front of a level. */
const OPENING = /[[(<|] {0,4}$/
const MAX_OPENING = 5

interface CompiledPlace {
  readonly level: RegExp
  readonly before: RegExp
  readonly isTimed: boolean
}

let compiled: readonly CompiledPlace[] | undefined

function compiledPlaces(): readonly CompiledPlace[] {
  const library = new Map(Object.entries(FORMAT_PATTERNS))
  const sourceOf = (grok: string) => translateGrok(grok, library).source
  return PLACES.map(({ level, before, isTimed = false }) => ({
    level: new RegExp(sourceOf(level), 'y'),
    // The first character of the level follows.
    before: new RegExp(`^${sourceOf(before)}(?=[^]$)`),
    isTimed,
  }))
}

/** A line whose words begin at `from`, perhaps after a time. */
interface LineWords {
  readonly text: string
  readonly from: number
  readonly isTimed: boolean
}

/** Returns the level that stands after a few words of a line; undefined when there is none. */
export function laterLevel(line: LineWords): string | undefined {
  const { text, from } = line
  const end = matchAt(MANY_WORDS, text, from) ? MANY_WORDS.lastIndex : from + MAX_BEFORE
  const length = Math.min(end - from, MAX_BEFORE)
  const head = text.slice(from, from + length + MAX_LEVELISH)
  LEVELISH.lastIndex = 0
  for (let found = LEVELISH.exec(head); found !== null; found = LEVELISH.exec(head)) {
    if (found.index >= length) return undefined
    LEVELISH.lastIndex = found.index + 1
    const at = from + found.index
    const bracket = OPENING.exec(text.slice(Math.max(from, at - MAX_OPENING), at))
    const level = (bracket && levelAt(at - bracket[0].length, line)) ?? levelAt(at, line)
    if (level !== undefined) return level
  }
  return undefined
}

function levelAt(at: number, { text, from, isTimed }: LineWords): string | undefined {
  compiled ??= compiledPlaces()
  for (const place of compiled) {
    if (place.isTimed && !isTimed) continue
    const found = matchAt(place.level, text, at)
    if (found !== null && place.before.test(text.slice(from, at + 1))) {
      return found.find((group, index) => index > 0 && group !== undefined)
    }
  }
  return undefined
}
