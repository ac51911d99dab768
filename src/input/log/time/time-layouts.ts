import { utf8AsLatin1 } from '../../../text/bytes.js'
import { layout, orders, type TimeLayout, withGroups } from './time-layout.js'
import {
  CLOCK,
  D,
  DAY_OF_YEAR,
  DD,
  DIGITS,
  GAP,
  HALF,
  LATER_HALF,
  LEADING_HALF,
  LOCAL_HALF,
  LONG_MONTH,
  M,
  MILLISECONDS,
  MINUTES,
  MM,
  MONTH,
  NEEDED_HALF,
  NOT_HALF,
  NOTHING,
  NUMBER,
  SHORT_CLOCK,
  SHORT_YEAR,
  SHORTEST_CLOCK,
  TWO,
  WEEKDAY,
  YEAR,
  ZONES,
} from './time-parts.js'

/** The gap between a clock and a date after it. */
const BACK_GAP = '(?:,? | - )'
const LATER = { rest: LATER_HALF, fraction: MILLISECONDS } as const

/**
 * The layouts in the order of preference. Layouts that share a pattern read the same numbers in different orders; the
 * lines decide which order is used.
 */
export const TIME_LAYOUTS: readonly TimeLayout[] = [
  // sing-box.
  zoneFirst(
    'offset iso',
    '+0800 2026-11-20 10:00:00',
    `${YEAR}-${MM}-${DD} ${CLOCK}`,
    '[+-](?:0\\d|1[0-4])[0-5]\\d',
  ),
  layout('iso colon', '2026-11-20 10:00:00:123', `${YEAR}-${MM}-${DD}${GAP}${CLOCK}`, {
    fraction: '(:\\d{3}(?:\\d{3}){0,2})(?![\\d:])',
  }),
  layout('iso half', '2026-11-20 03:16:47 PM', `${YEAR}-${M}-${D}${GAP}${SHORTEST_CLOCK}`, {
    rest: NEEDED_HALF,
  }),
  layout(
    'half clock',
    utf8AsLatin1('2026/11/20 下午 03:16:47'),
    `${YEAR}(?:[/-]|\\. ?)${M}(?:[/-]|\\. ?)${D}\\.? {1,2}${LEADING_HALF}${SHORTEST_CLOCK}`,
  ),
  layout(
    'year month day with signs',
    utf8AsLatin1('2026年11月20日 10:00:00'),
    `${YEAR}${utf8AsLatin1('(?:年|년 ?)')}${M}${utf8AsLatin1('(?:月|월 ?)')}${D}${utf8AsLatin1('(?:日|일)')} {0,2}(?:${LEADING_HALF})?(?<hour>\\d{1,2})${utf8AsLatin1('(?::|时|時|시 ?)')}(?<minute>\\d\\d)${utf8AsLatin1('(?::|分|분 ?)')}(?<second>\\d\\d)${utf8AsLatin1('(?:秒|초)?')}`,
  ),
  layout('iso', '2026-11-20T15:16:47,163', `${YEAR}-${M}-${D}${GAP}${SHORT_CLOCK}`),
  layout(
    'clock iso',
    '10:00:00 2026-11-20',
    `${CLOCK}${BACK_GAP}${YEAR}-${MM}-${DD}(?![T ]\\d\\d:)`,
    {
      fraction: NOTHING,
    },
  ),
  // ecFlow.
  layout(
    'clock day.month.year',
    '10:00:00 20.11.2026',
    `${CLOCK}${BACK_GAP}${D}\\.${M}\\.${YEAR}`,
    {
      fraction: NOTHING,
      zone: NOTHING,
    },
  ),
  ...orders(
    '10:00:00 20/11/2026',
    `${CLOCK}${BACK_GAP}${NUMBER}/${NUMBER}/${YEAR}`,
    [
      ['day', 'month', 'year'],
      ['month', 'day', 'year'],
    ],
    { fraction: NOTHING, zone: NOTHING },
  ).map((one) => ({ ...one, name: `${one.name} after a clock` })),
  // Niagara.
  layout('clock day-month', '10:00:00 20-Nov-26 UTC', `${CLOCK} ${D}-${MONTH}-${SHORT_YEAR}`),
  // PocketMine.
  layout('iso [clock]', '2026-11-20 [10:00:00.123]', `${YEAR}-${MM}-${DD} \\[${CLOCK}`, {
    zone: NOTHING,
    rest: '\\]',
  }),
  layout(
    'weekday iso',
    'Fri 2026-11-20 10:00:00 UTC',
    // With slashes: Gammu.
    `(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ${YEAR}[-/]${MM}[-/]${DD} ${CLOCK}`,
  ),
  layout('iso minutes', '2026-11-20 15:16', `${YEAR}-${MM}-${DD}(?:T|,? )${MINUTES}`, {
    fraction: NOTHING,
  }),
  layout(
    'year/month/day half',
    '2026/03/01 03:16:47 PM',
    `${YEAR}[/.]${M}[/.]${D}${GAP}${SHORTEST_CLOCK}`,
    { fraction: MILLISECONDS, rest: NEEDED_HALF },
  ),
  layout(
    'year/month/day',
    '2026/03/01 00:00:00.000000',
    `${YEAR}[/.]${M}[/.]${D}${GAP}${SHORT_CLOCK}`,
    { fraction: MILLISECONDS },
  ),
  layout('year/month/day minutes', '2026/11/20 10:00', `${YEAR}/${MM}/${DD},? ${MINUTES}`, {
    fraction: NOTHING,
    zone: NOTHING,
  }),
  // Sophos UTM, the date in photos, and Sunshine.
  layout('year:month:day', '2026:11:20-10:00:00', `${YEAR}:${MM}:${DD}[- :]${CLOCK}`),
  // With `@`: OpenEdge. With a hyphen: InterSystems.
  ...orders(
    '17/06/09 20:10:40',
    `${TWO}/${TWO}/${TWO}[ @-]${CLOCK}`,
    [
      ['short-year', 'month', 'day'],
      ['day', 'month', 'short-year'],
      ['month', 'day', 'short-year'],
    ],
    { fraction: MILLISECONDS, rest: NOT_HALF },
  ),
  // Suricata before version 7, in any country.
  layout('day/month/year --', '3/4/2026 -- 10:00:00', `${D}/${M}/${YEAR} -- ${CLOCK}`),
  // Sonarr before version 4 and its relatives: a bar follows the tenths of a second.
  layout('short-year-month-day |', '26-1-2 10:00:00.1', `${SHORT_YEAR}-${M}-${D} ${CLOCK}`, {
    fraction: '\\.(\\d)(?=\\||$)',
    zone: NOTHING,
  }),
  // Home Assistant Supervisor.
  ...orders('26-11-20 10:00:00', `${TWO}-${TWO}-${TWO} ${CLOCK}`, [
    ['short-year', 'month', 'day'],
    ['day', 'month', 'short-year'],
    ['month', 'day', 'short-year'],
  ]),
  ...orders(
    '3/4/26 10:00:00:123',
    `${NUMBER}/${NUMBER}/${SHORT_YEAR},? ${SHORTEST_CLOCK}${HALF}`,
    [
      ['day', 'month', 'short-year'],
      ['month', 'day', 'short-year'],
    ],
    LATER,
  ),
  ...orders(
    '03/04/2026 10:00:00',
    `${NUMBER}[/-]${NUMBER}[/-]${YEAR}${GAP}${SHORTEST_CLOCK}${HALF}`,
    [
      ['day', 'month', 'year'],
      ['month', 'day', 'year'],
    ],
    LATER,
  ),
  layout(
    'day.month.year',
    '20.11.2026 10:00:00',
    `${D}\\. ?${M}\\. ?${YEAR}${GAP}${SHORTEST_CLOCK}`,
    LATER,
  ),
  layout(
    'day.month.year short',
    '20.11.26 10:00:00',
    `${D}\\.${M}\\.${SHORT_YEAR},? (?<hour>\\d{1,2}):(?<minute>\\d\\d)(?::(?<second>\\d\\d))?`,
  ),
  // With an underscore: WSJT-X.
  layout('yymmdd hhmmss', '081109 203615', `${SHORT_YEAR}${MM}${DD}[ _]${DIGITS}`, {
    isNumber: true,
  }),
  layout('yymmdd clock', '081109 20:36:15', `${SHORT_YEAR}${MM}${DD}  ?${SHORT_CLOCK}`),
  layout('yyyymmdd clock', '20171223-22:15:29:606', `${YEAR}${MM}${DD}[-T_: ]${SHORT_CLOCK}`, {
    fraction: MILLISECONDS,
  }),
  // Dionaea. The first digits of the year are never a month.
  layout('ddmmyyyy clock', '20112026 10:00:00', `${DD}${MM}${YEAR} ${CLOCK}`),
  layout('basic', '20261120T101500Z', `${YEAR}${MM}${DD}[-T_ ]${DIGITS}`),
  layout('yymmdd/hhmmss', '261120/100000.123', `${SHORT_YEAR}${MM}${DD}/${DIGITS}`, {
    isNumber: true,
    zone: NOTHING,
  }),
  // With a comma: Crashpad.
  layout('yyyymmdd:hhmmss', '20261120:100000.123', `${YEAR}${MM}${DD}[:,]${DIGITS}`, {
    zone: NOTHING,
  }),
  layout('mmdd/hhmmss', '1120/100000.123456', `${MM}${DD}/${DIGITS}`, {
    isNumber: true,
    zone: NOTHING,
  }),
  layout('digits', '20261120101500', `${YEAR}${MM}${DD}${DIGITS}`, {
    isNumber: true,
    fraction: '(?:[.,]?(\\d{1,9}))?',
  }),
  // 3proxy.
  layout('short digits', '261120101500.123', `${SHORT_YEAR}${MM}${DD}${DIGITS}`, {
    isNumber: true,
    fraction: '\\.(\\d{3})(?= )',
    zone: NOTHING,
  }),
  layout('day/month-name/year', '01/Mar/2026:10:00:00 +0100', `${D}/${MONTH}/${YEAR}[: ]${CLOCK}`),
  layout('month-name/day/year', 'nov/20/2026 10:00:00', `${MONTH}/${D}/${YEAR} ${CLOCK}`),
  layout(
    'day month-name year',
    '20 Nov 2026 10:00:00.123',
    `${WEEKDAY}${D}(?:[ -]|\\. | de )${LONG_MONTH}(?:[ -]| de )${YEAR}(?:::|${GAP})${SHORT_CLOCK}${HALF}`,
    LATER,
  ),
  layout(
    'day month-name year short',
    '20-NOV-26 10.00.00.123456 AM',
    `${WEEKDAY}${D}[ -]${MONTH}[ -]${SHORT_YEAR} ${SHORT_CLOCK}`,
    LATER,
  ),
  // The output of date in British English: acme.sh.
  layout(
    'weekday day month-name year',
    'Fri 20 Nov 10:00:00 UTC 2026',
    `${WEEKDAY.replace(/\?$/, '')}${D} ${MONTH} ${CLOCK}`,
    { rest: ` ${YEAR}` },
  ),
  layout('day month-name', '06 Apr 18:29:27.387', `${WEEKDAY}${D}[ -]${MONTH}[ ,]${CLOCK}`),
  layout('day month-name minutes', '20-Nov 10:00', `${D}-${MONTH} ${MINUTES}`, {
    fraction: NOTHING,
    zone: NOTHING,
  }),
  layout(
    'year month-name day',
    '2026-Nov-20 10:00:00.123',
    `${YEAR}[ -]${MONTH}[ -]{1,2}${D}[T ]${CLOCK}`,
    { fraction: MILLISECONDS },
  ),
  // Minecraft Forge; with a colon: SAS; with a short year: Serv-U.
  layout('daymonth-nameyear', '20Nov2026 10:00:00.123', `${DD}${MONTH}${YEAR}[ :]${CLOCK}`),
  layout(
    'daymonth-nameyear short',
    '20Nov26 10:00:00',
    `${WEEKDAY}${DD}${MONTH}${SHORT_YEAR} ${CLOCK}`,
  ),
  // Karma, whose log4js writes dates thus.
  layout('day month year', '20 11 2026 10:00:00.123', `${DD} ${MM} ${YEAR} ${CLOCK}`),
  // Greenbone; with hyphens: Snapcast; with `h`, `min` and `s`: JavaScript in French (Canada).
  layout(
    'iso with h',
    '2026-11-20 10h00.00',
    `${YEAR}-${MM}-${DD} (?<hour>\\d\\d)(?:[h-]| h )(?<minute>\\d\\d)(?:[.-]| min )(?<second>\\d\\d)(?: s(?!\\w))?`,
  ),
  // An example in the documentation of Monolog.
  layout('year month day', '2026 11 20, 10:00 am', `${YEAR} ${M} ${D}, ${SHORTEST_CLOCK}`, LATER),
  layout('month-name-day-year', 'Nov-20-2026 10:00:00', `${MONTH}-${DD}-${YEAR} ${CLOCK}`),
  // ASSP.
  layout(
    'month-name-day-year short',
    'Nov-20-26 10:00:00',
    `${MONTH}-${DD}-${SHORT_YEAR} ${CLOCK}`,
  ),
  layout(
    'month-name day year',
    'Nov 20, 2026 3:16:47 PM',
    `${WEEKDAY}${LONG_MONTH} {1,2}${D}(?:,? |,)${YEAR},?(?: at| @)? ${SHORTEST_CLOCK}${HALF}`,
    { ...LATER, rest: LOCAL_HALF },
  ),
  layout(
    'ctime zone',
    'Sun Dec 04 04:47:44 2005 +0100',
    `${WEEKDAY}${MONTH} {1,2}${D} ${CLOCK} ${YEAR}`,
    { fraction: NOTHING, zone: ' ([+-]\\d\\d:?\\d\\d)' },
  ),
  // With milliseconds after a colon: Comware.
  layout('ctime', 'Sun Dec 04 04:47:44 2005', `${WEEKDAY}${MONTH} {1,2}${D} ${CLOCK}${HALF}`, {
    fraction: MILLISECONDS,
    rest: ` ${YEAR}`,
  }),
  layout('month-name day', 'Mar  1 10:00:00', `${WEEKDAY}${MONTH}(?: {0,2}|[-/])${D}  ?${CLOCK}`),
  // MPD. Without the colon, the dates in lists of files would be times.
  layout('month-name day minutes', 'Nov 20 10:00', `${MONTH} {1,2}${D} ${MINUTES}(?= : |$)`, {
    fraction: NOTHING,
    zone: NOTHING,
  }),
  zoneFirst('zone month-name day', 'UTC Nov 20 10:00:00', `${MONTH} {1,2}${D} ${CLOCK}`, ZONES),
  // With `|`: Geth.
  layout('month-day', '03-17 16:13:38.811', `${MM}-${DD}[ |]${CLOCK}`, { fraction: MILLISECONDS }),
  layout('month-day minutes', '11-20 10:00', `${MM}-${DD} ${MINUTES}`, {
    fraction: NOTHING,
    zone: NOTHING,
  }),
  // Snort; with the process after a hyphen: cron.
  layout('month/day-clock', '11/20-10:00:00.123456', `${MM}/${DD}-${CLOCK}`, { zone: NOTHING }),
  ...orders('11/20 10:00:00', `${TWO}/${TWO} ${CLOCK}`, [
    ['month', 'day'],
    ['day', 'month'],
  ]),
  // In JavaScript, the country decides about the order.
  ...orders('11/20, 10:00:00', `${TWO}/${TWO}, ${CLOCK}`, [
    ['month', 'day'],
    ['day', 'month'],
  ]),
  ...orders('10.30 16:49:06', `${TWO}\\.${TWO} ${CLOCK}`, [
    ['month', 'day'],
    ['day', 'month'],
  ]),
  layout('klog', 'I1120 10:00:00.123456', `[IWEFDC]${MM}${DD} ${CLOCK}`, { zone: NOTHING }),
  layout('cockroach', 'I261120 10:00:00.123456', `[IWEFDC]${SHORT_YEAR}${MM}${DD} ${CLOCK}`, {
    zone: NOTHING,
  }),
  layout('glog', 'I20261120 10:00:00.123456', `[IWEFDC]${YEAR}${MM}${DD}[ -]${CLOCK}`, {
    // In parentheses: Meteor.
    zone: '\\(?(Z|(?<=\\()[+-]?\\d{1,2}(?:\\.\\d{1,2})?(?=\\)|$))?',
  }),
  layout('clock month/day/year', '10:00:00 UTC 11/20/2026', CLOCK, {
    fraction: NOTHING,
    zone: `(?: (${ZONES}))`,
    rest: ` ${MM}/${DD}/(?<year>\\d{4})`,
  }),
  layout(
    'clock half month/day/year',
    '10:00:00 AM 11/20/2026',
    `${SHORT_CLOCK}${NEEDED_HALF},? ${M}/${D}/${YEAR}`,
    {
      fraction: NOTHING,
    },
  ),
  layout('day of year', '2026-324T10:00:00.123Z', `${YEAR}-${DAY_OF_YEAR}[T ]${CLOCK}`),
  layout('day of year colon', '2026:324:10:00:00.123', `${YEAR}:${DAY_OF_YEAR}:${CLOCK}`),
  // The digits after the sign are an offset from UTC in some programs, and a part of the fraction in others: they are ignored.
  layout(
    'cmtrace',
    '10:00:00.517+000" date="11-20-2026',
    '(?<hour>\\d{1,2}):(?<minute>\\d\\d):(?<second>\\d\\d)',
    {
      fraction: '\\.(\\d{3})(?:[+-]?\\d{1,4})?',
      zone: NOTHING,
      rest: `" date="${M}-${D}-(?<year>\\d{4})`,
    },
  ),
  // Ten digits until 2286; then a fraction, with or without a point: milliseconds, microseconds or nanoseconds.
  // A number with two points is an id: Webmin writes the time and the process.
  counted(
    'unix',
    '1793787407.163',
    '([1-9]\\d{9})(?:(?:\\.(?=\\d)|(?=(?:\\d{3}){1,3}(?!\\d)))(\\d{1,9})\\d*)?(?!\\d*\\.\\d)',
    { isNumber: true },
  ),
  // A number with a fraction in a bracket of its own is hardly anything else: rtpengine, UCX.
  counted(
    'unix in brackets',
    '[1793787407.163402',
    '(?<=\\[)([1-9]\\d{9})\\.(\\d{3}|\\d{6})(?=\\] )',
  ),
  // zap's console: a count of seconds as Go writes floating-point numbers, of which the first ten digits are whole seconds.
  counted('unix exponent', '1.7937874071630001e+09', '([1-9]\\.\\d{1,9})(\\d{0,9})\\d{0,9}e\\+09', {
    seconds: (written) => Math.round(Number(`${written}e9`)),
  }),
  // JSON of .NET and of PowerShell, which may escape the slashes. The offset does not change the time.
  counted(
    'net',
    '/Date(1793787407163)/',
    '\\\\?/Date\\(([1-9]\\d{9})(\\d{3})(?:[+-]\\d{4})?\\)\\\\?/',
  ),
  // slapd, which writes its thread after the time. Before 2.5, there is neither a fraction nor a thread; the time is read alone, too.
  counted(
    'hex',
    '6b005620.38539ab1',
    '([4-7][0-9a-f]{7})(?:\\.([0-3][0-9a-f]{7})(?= 0x|$)|(?= (?:conn=\\d|slapd |@\\(#\\) |[<=]=[>=]? |[a-z_]{2,40}: )|(?<=^.{8})$))',
    {
      seconds: (written) => Number.parseInt(written, 16),
      fraction: (digits) => String(Number.parseInt(digits, 16)).padStart(9, '0'),
    },
  ),
]

/** Returns a layout of a count of seconds since 1970, in the first group of a pattern, and of a fraction, in the second. */
function counted(
  name: string,
  example: string,
  pattern: string,
  own: Partial<Pick<TimeLayout, 'isNumber' | 'seconds' | 'fraction'>> = {},
): TimeLayout {
  return {
    ...{ name, example, pattern: `${pattern}()()`, zoneGroup: 3 },
    ...{ hasYear: true, isNumber: false, isUtc: true, isPlain: false },
    seconds: (written) => Number(written),
    fraction: (digits) => digits,
    ...own,
  }
}

/** Returns a layout of times in front of which is a zone: its abbreviation, or an offset. */
function zoneFirst(name: string, example: string, written: string, zones: string): TimeLayout {
  const time = layout(name, example, written, { fraction: NOTHING, zone: NOTHING })
  const unnamed = withGroups(written, '(?:')
  return {
    ...time,
    isPlain: false,
    pattern: `(?=(?:${zones}) (${unnamed}))()(${zones}) ${unnamed}()`,
  }
}

/** Layouts that are used even if the lines allow other orders; without such a layout, the dates are ambiguous. */
const USUAL: ReadonlySet<string> = new Set(['year/month/day short', 'month/day', 'month.day'])

/** True when a layout is used even if the lines allow another order. */
export function isUsual({ name }: TimeLayout): boolean {
  return USUAL.has(name)
}
