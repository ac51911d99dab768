import { CLOUD_FORMATS } from './cloud.js'
import { DATABASE_FORMATS } from './database.js'
import { JAVA_FORMATS } from './java.js'
import { LANGUAGE_FORMATS } from './languages.js'
import type { LineFormat } from './line-format.js'
import { NETWORK_FORMATS } from './network.js'
import { PYTHON_FORMATS } from './python.js'
import { SECURITY_FORMATS } from './security.js'
import { SYSTEM_FORMATS } from './system.js'
import { TOOL_FORMATS } from './tool.js'
import { WEB_FORMATS } from './web.js'

/** Between parts of a line: space, and a sign that is not a part of the next one. */
const GAP = '[ \\t]{0,8}(?:\\||[:-](?=[ \\t\\n]|$))?[ \\t]{0,8}'
/** After a time without brackets: also a comma, which a level or a space follows. */
const END = `(?:,(?=[ \\t]|%{MARKED_LEVEL}))?${GAP}`
/** Times without brackets, which most lines have, and with those that are no part of the message: both are there. */
const TIMES = [
  `%{TIME:_time}${END}`,
  `\\[{1,2} ?%{TIME:_time} ?\\]{1,2}:?${GAP}`,
  `[(<"{] ?%{TIME:_time} ?[)>"}]:?${GAP}`,
]
/** A word, a number or text in brackets in front of the level. */
const WORD =
  '(?:(?:\\[[^\\]\\n]{0,100}\\]|\\([^)\\n]{0,100}\\)|[^\\s]{1,60})[ \\t]{0,8}(?:\\|[ \\t]{1,8})?)'
const LEVEL_LATER = `(?=${WORD}{0,3}?(?<![\\w.-])%{LATER_LEVEL})`

/** The format of other lines that begin with their time, perhaps after a level. */
export const TIMED_LINES: LineFormat = {
  name: 'text',
  title: 'lines that begin with a time, and perhaps a level',
  examples: ['2026-11-20T10:00:00Z ERROR connection lost', '[WARN] [2026-11-20 10:00:00] disk low'],
  patterns: [
    ...TIMES.flatMap((time) => [
      `${time}%{MARKED_LEVEL}${GAP}%{MESSAGE:message}`,
      `${time}${LEVEL_LATER}%{MESSAGE:message}`,
      // A time may be on a line of its own.
      `${time}\\n?%{MESSAGE:message}`,
    ]),
    ...TIMES.map((time) => `%{MARKED_LEVEL}${GAP}${time}%{MESSAGE:message}`),
  ],
}

/** The format of other lines that begin with a level. */
const LEVELED_LINES: LineFormat = {
  name: 'level',
  title: 'lines that begin with a level, perhaps after a time of day or a few words',
  examples: ['ERROR: connection lost', '10:00:00 WARN disk low', '[web] [main] ERROR failed'],
  patterns: [
    `(?:\\[?%{CLOCK:time}\\]?${GAP})?%{MARKED_LEVEL}${GAP}%{MESSAGE:message}`,
    `(?:\\[?%{CLOCK:time}\\]?${GAP})?${LEVEL_LATER}%{MESSAGE:message}`,
  ],
}

/** Formats that are detected, by group, in the order of preference. */
const GROUPS: Readonly<Record<string, readonly LineFormat[]>> = {
  system: SYSTEM_FORMATS,
  cloud: CLOUD_FORMATS,
  'security and mail': SECURITY_FORMATS,
  web: WEB_FORMATS,
  database: DATABASE_FORMATS,
  java: JAVA_FORMATS,
  python: PYTHON_FORMATS,
  language: LANGUAGE_FORMATS,
  network: NETWORK_FORMATS,
  tool: TOOL_FORMATS,
  other: [TIMED_LINES, LEVELED_LINES],
}

/** Formats that are detected, in the order of preference. */
export const LINE_FORMATS: readonly LineFormat[] = Object.values(GROUPS).flat()

/** Returns the group of a format. */
export function groupOf({ name }: Pick<LineFormat, 'name'>): string {
  const [group = 'other'] =
    Object.entries(GROUPS).find(([, formats]) => formats.some((one) => one.name === name)) ?? []
  return group
}
