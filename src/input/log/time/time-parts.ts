import { utf8AsLatin1 } from '../../../text/bytes.js'
import { daysOfMonth, daysSince1970 } from '../../../wire/time/calendar.js'
import { MONTHS, type TimePart, ZONE_HOURS } from '../../../wire/time/time-pattern.js'

// The parts of the regular expressions of time layouts. Groups have the names of parts of times.

/** A year from 1900 to 2299; other numbers of four digits are not years. */
export const YEAR = '(?<year>(?:19|2[0-2])\\d\\d)'
export const SHORT_YEAR = '(?<short_year>\\d\\d)'
/** Numbers of one or two digits and of two digits, whose order in a date differs. */
export const NUMBER = '(\\d{1,2})'
export const TWO = '(\\d\\d)'
/** A month and a day, of one or two digits and of two digits. */
export const M = '(?<month>\\d{1,2})'
export const D = '(?<day>\\d{1,2})'
export const MM = '(?<month>\\d\\d)'
export const DD = '(?<day>\\d\\d)'
export const DAY_OF_YEAR = '(?<day_of_year>\\d{3})'
/**
 * The beginnings of the names of months in other languages that differ from English. Of conflicting names, names in
 * Polish are present.
 */
const LOCAL_MONTHS = monthTable([
  'ene gen sty oca jän янв яну січ Ιαν 一月',
  'fév fev lut Şub фев лют Φεβ 二月',
  'mär mrt бер Μαρ 三月',
  'abr avr kwi nis апр кві Απρ 四月',
  'mai mag mei maj май мая тра Μαΐ 五月',
  'juin giu cze haz июн юни чер Ιουν 六月',
  'juil lug lip tem июл юли лип Ιουλ 七月',
  'ago aoû sie Ağu авг сер Αυγ 八月',
  'set wrz eyl сен сеп вер Σεπ 九月',
  'okt ott out paź eki окт жов Οκτ 十月',
  'marras lis kas ноя ное лис Νοε 十一月',
  'dez dic déc gru ara des дек гру Δεκ 十二月',
])
/** Further names, which are read only in dates with a year. */
const RARE_MONTHS = monthTable([
  'led tammi ian jaan јан ינו ม.ค',
  'úno helmi veebr феб פבר ก.พ',
  'bře maalis már мар מרץ มี.ค',
  'dub huhti ápr אפר เม.ย',
  'kvě touko máj мај מאי พ.ค',
  'čvn kesä iun jún jūn juun јун יונ มิ.ย',
  'čvc heinä iul júl jūl juul јул יול ก.ค',
  'srp elok avg agu אוג ส.ค',
  'zář syys szept ספט ก.ย',
  'říj loka אוק ต.ค',
  'нов נוב พ.ย',
  'pro joulu dets дец דצמ ธ.ค',
])
/** For each month, an expression for its names in languages other than English. */
const LOCAL_MONTH = LOCAL_MONTHS.map((names, index) => {
  const forms = [...names, ...RARE_MONTHS[index]!].map(anyCase)
  return new RegExp(`^(?:${forms.join('|')})`)
})
/** The name of a month, long or short, perhaps with a full stop, in latin1. */
const MONTH_NAME = `(?:(?:${MONTHS.map(anyCase).join('|')})[a-z]{0,6}|(?:${LOCAL_MONTHS.flat().map(anyCase).join('|')})[a-z\\x80-\\xff]{0,14}|\\d{1,2}${utf8AsLatin1('(?:月|월)')})\\.?`
/** A month of syslog. English names are compared first: the names in other languages take longer. */
export const SYSLOG_MONTH = `(?:[A-Z][a-z]{2}|${MONTH_NAME})`
/** A time of `journalctl -o short-full` or `-o short-unix`, in lines that are those of syslog otherwise. */
export const JOURNAL_TIME =
  '(?:[A-Z][a-z]{2} \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d(?:\\.\\d{6})? (?:[A-Z]{3,5}|[+-]\\d\\d(?:\\d\\d)?)|\\d{10}\\.\\d{6})'
export const MONTH = `(?<month_name>${MONTH_NAME})`
/** Text that may be the name of a month, in a date with a year. Comparing all names would take many times as long. */
const LIKE_MONTH = '(?:thg \\d{1,2}|[A-Za-z\\d\\x80-\\xff]{3,24}(?:\\.[\\x80-\\xff]{3})?)\\.?'
export const LONG_MONTH = `(?<month_name>${LIKE_MONTH})`
export const WEEKDAY = '(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},? )?'
/** The gap between a date and a clock, which may both be in brackets. */
export const GAP = '(?:[Tt_:/.,;|@-](?! )|[,;]? {1,2}| (?:[-|@]|at) |\\t|\\] ?\\[)'
export const CLOCK = '(?<hour>\\d\\d):(?<minute>\\d\\d):(?<second>\\d\\d)'
/** A clock without seconds, and a clock without signs. */
export const MINUTES = '(?<hour>\\d\\d):(?<minute>\\d\\d)(?![:.]?\\d)'
export const DIGITS = '(?<hour>\\d\\d)(?<minute>\\d\\d)(?<second>\\d\\d)'
/**
 * A clock that may have dots, and no leading zeros: `15.42.50`, `3:16:47`, `23:7:20`. After dots there are two digits, unlike in
 * versions and addresses.
 */
export const SHORT_CLOCK =
  '(?=\\d{1,2}:|\\d{1,2}\\.\\d\\d\\.\\d\\d)(?<hour>\\d{1,2})[:.](?<minute>\\d{1,2})[:.](?<second>\\d{1,2})'
/** A short clock that may lack seconds. */
export const SHORTEST_CLOCK =
  '(?=\\d{1,2}:|\\d{1,2}\\.\\d\\d(?!\\d))(?<hour>\\d{1,2})[:.](?<minute>\\d{1,2})(?:[:.](?<second>\\d{1,2}))?'
/** One or two digits between commas are a column, not a fraction. */
const NO_COLUMN = '(?!,\\d{1,2},)'
/**
 * A fraction, of which up to nine digits are kept. It matches in one way only, so that the rest of a line is not searched once for each
 * way to divide the digits.
 */
export const FRACTION = `(?:${NO_COLUMN}[.,](\\d{1,9}(?!\\d)|\\d{9}(?=\\d))\\d*)?`
/** A fraction, or milliseconds after a colon, which may lack leading zeros; the group then begins with the colon. */
export const MILLISECONDS = `(?:${NO_COLUMN}[.,]?((?<=[.,])\\d{1,9}|:\\d{1,3}(?!\\d))\\d*)?`
/** Words for AM and PM that are also in front of a clock. */
const LEADING_HALVES = { am: '上午|午前|오전', pm: '下午|午後|오후' } as const
/** The words for AM and PM in other languages, as java.util.logging writes them. Some of them begin sentences, too. */
const LOCAL_HALVES: Readonly<Record<'am' | 'pm', string>> = {
  am: `A.M.|A.\u00a0M.|${LEADING_HALVES.am}|FM|FORMIDDAG|DE.|AP.|DOP.|ÖÖ|ДП|Π.Μ.|ПР.ОБ.|ПРЕ ПОДНЕ|PRIEKŠPUSDIENĀ|DA MANHÃ|PRIJEPODNE|ПРЕТПЛАДНЕ|SA|לפנה״צ|ก่อนเที่ยง`,
  pm: `P.M.|P.\u00a0M.|${LEADING_HALVES.pm}|EM|ETTERMIDDAG|DU.|IP.|ODP.|ÖS|ПП|Μ.Μ.|СЛ.ОБ.|POP.|ПО ПОДНЕ|PĒCPUSDIENĀ|DA TARDE|POPODNE|ПОПЛАДНЕ|CH|אחה״צ|หลังเที่ยง`,
}
/** Words for AM and PM with which no message begins, as Windows and browsers write them in Spanish, Greek and Arabic. */
const CERTAIN_HALVES: typeof LOCAL_HALVES = {
  am: 'a.m.|a. m.|a.\u00a0m.|πμ|ص',
  pm: 'p.m.|p. m.|p.\u00a0m.|μμ|م',
}
const HALVES = new Map<string, string>()
const LOCAL_WORDS = halfWords(LOCAL_HALVES)
const CERTAIN = `(?:${halfWords(CERTAIN_HALVES)})(?![\\w\\x80-\\xff])`
/** AM or PM. The space before them may be U+00A0 or U+202F, of two or three bytes. */
export const HALF = `(?:(?: |[^ -~\\t\\n]{1,3})(?<half>[AaPp][Mm](?!\\w)|${CERTAIN}))?`
export const LATER_HALF = laterHalf(`|${CERTAIN}`)
export const LOCAL_HALF = laterHalf(`|${CERTAIN}|(?<= )(?:${LOCAL_WORDS})`)
/** AM or PM, which must follow. */
export const NEEDED_HALF = ` ?(?<half>[AaPp][Mm](?!\\w)|${CERTAIN})`
export const NOT_HALF = `(?!(?:[.,]\\d{1,9})? ?(?:[AaPp][Mm](?!\\w)|${CERTAIN}))()`
/** AM or PM in front of a clock, as in Chinese, Japanese and Korean. */
export const LEADING_HALF = `(?<half>${utf8AsLatin1(`${LEADING_HALVES.am}|${LEADING_HALVES.pm}`)}) ?`
export const NOTHING = '()'

const OFFSET = '[+-](?:0\\d|1[0-4])(?::?[0-5]\\d)?'
/** An offset in minutes, as Db2 writes it after microseconds. */
const OFFSET_MINUTES = '(?<=[.]\\d{6})[+-]\\d{3}'
const AREAS =
  '(?:Africa|America|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc)/[A-Za-z0-9_+/-]{1,40}'
/** The abbreviations of zones. */
export const ZONES = Object.keys(ZONE_HOURS).join('|')
/** The abbreviations and names of zones. */
export const ZONE_NAMES = `${ZONES}|${AREAS}`
export const ZONE = `(?: ?(Z|(?<=\\d)z|${OFFSET}|${OFFSET_MINUTES}|(?:UTC|GMT)(?: (?=[+-]\\d{4}(?!\\d))|(?<=GMT) (?=[+-]\\d{1,2}(?!\\d)))?[+-]\\d{1,2}(?::?[0-5]\\d)?|${ZONE_NAMES})(?!\\w)(?:\\[${AREAS}\\]|(?<=GMT[+-]\\d{4}) \\([^()\\n]{1,60}\\)|(?<=[+-]\\d{4}) (?:${ZONES})(?!\\w))?)?`
/** Expressions with many alternatives, each with a simpler expression that matches at least the same texts. */
const LIKE: readonly (readonly [exact: string, like: string])[] = [
  // It also matches the one or two words for AM and PM, and an offset after a zone.
  [ZONE, '(?: ?[\\w+:/.\\x80-\\xff-]{1,60}(?!\\w)(?: [A-Z\\d+\\x80-\\xff-]{2,12}(?!\\w))?)?'],
  [MONTH_NAME, LIKE_MONTH],
  [WEEKDAY, '(?:[A-Z][a-z]{2,8},? )?'],
]

/** Returns an expression that matches at least the times of a layout, and compiles in a fraction of the time. */
export function likePattern(pattern: string): string {
  return LIKE.reduce((text, [exact, like]) => text.replace(exact, () => like), pattern)
}

/** Precedes a time, and excludes parts of a longer date, such as `11/20` in `2026/11/20`. */
export const NOT_WITHIN = '(?<!\\d[/.-]?)'

/** Adds words for AM and PM to `HALVES`; returns an expression for them. */
function halfWords(words: typeof LOCAL_HALVES): string {
  for (const [half, list] of Object.entries(words)) {
    for (const word of list.split('|')) HALVES.set(utf8AsLatin1(word), half)
  }
  return utf8AsLatin1(`${words.am}|${words.pm}`).replaceAll('.', '\\.')
}

function laterHalf(others: string): string {
  return `(?:(?: |[^ -~\\t\\n]{1,3})?(?<half>[AaPp][Mm]${others}))?`
}

function monthTable(names: readonly string[]): readonly (readonly string[])[] {
  return names.map((month) => month.split(' ').map(utf8AsLatin1))
}

function anyCase(word: string): string {
  return word.replaceAll(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`)
}

/** Returns the number of a month from its name in latin1; 0 for other text. */
function monthOf(name: string): number {
  const [number] = /^\d+|(?<=^thg )\d+/.exec(name) ?? []
  if (number !== undefined) return Number(number)
  const english = MONTHS.indexOf(name.slice(0, 3).toLowerCase())
  // In Finnish, the eleventh month begins like March.
  if (english !== -1 && !/^[Mm]arras/.test(name)) return english + 1
  return LOCAL_MONTH.findIndex((names) => names.test(name)) + 1
}

/** Chooses a year for a time without a year; returns the seconds since 1970. */
export type YearRule = (secondsIn: (year: number) => number | undefined) => number | undefined

/**
 * Returns the seconds from 1970 to the groups of a match, which are `parts`; undefined when there is no such time.
 * Like PostgreSQL, reads `24:00:00` as the next midnight and a leap second as the second after it.
 */
export function secondsOfParts(
  match: readonly (string | undefined)[],
  parts: readonly TimePart[],
  yearRule: YearRule,
): number | undefined {
  let year: number | undefined
  let [month, day, hour, minute, second] = [0, 0, 0, 0, 0]
  let dayOfYear: number | undefined
  let half = ''
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index]!
    const text = match[index + 1]
    if (text === undefined || text === '') continue
    if (part === 'year') year = Number(text)
    else if (part === 'short-year') year = Number(text) + (Number(text) < 69 ? 2000 : 1900)
    else if (part === 'month-name') month = monthOf(text)
    else if (part === 'month') month = Number(text)
    else if (part === 'day') day = Number(text)
    else if (part === 'day-of-year') dayOfYear = Number(text)
    else if (part === 'hour') hour = Number(text)
    else if (part === 'minute') minute = Number(text)
    else if (part === 'second') second = Number(text)
    else half = HALVES.get(text) ?? text.toLowerCase()
  }
  if (half === 'pm' && hour < 12) hour += 12
  if (half === 'am' && hour === 12) hour = 0
  const isMidnight = hour === 24 && minute === 0 && second === 0
  if ((hour > 23 && !isMidnight) || minute > 59 || second > 60) return undefined
  const clock = hour * 3_600 + minute * 60 + second
  if (dayOfYear !== undefined && (dayOfYear < 1 || dayOfYear > 366)) return undefined
  const secondsIn = (inYear: number) => {
    if (dayOfYear !== undefined) return daysSince1970(inYear, 1, dayOfYear) * 86_400 + clock
    if (month < 1 || month > 12 || day < 1 || day > daysOfMonth(inYear, month)) return undefined
    return daysSince1970(inYear, month, day) * 86_400 + clock
  }
  return year === undefined ? yearRule(secondsIn) : secondsIn(year)
}
