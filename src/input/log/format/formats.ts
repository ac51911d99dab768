import { DATABASE_FORMATS } from './database.js'
import { JAVA_FORMATS } from './java.js'
import { LANGUAGE_FORMATS } from './languages.js'
import type { LineFormat } from './line-format.js'
import { NETWORK_FORMATS } from './network.js'
import { PYTHON_FORMATS } from './python.js'
import { SYSTEM_FORMATS } from './system.js'
import { TOOL_FORMATS } from './tool.js'
import { WEB_FORMATS } from './web.js'

/** Between parts of a line: space, and a sign that is not a part of the next one. */
const GAP = '[ \\t]{0,8}(?:\\||[:-](?=[ \\t\\n]|$))?[ \\t]{0,8}'
const OPENING = '[\\[(<"{]{0,2} ?'
/** The color of a terminal. */
const COLOR = '(?:\\x1b\\[[\\d;]{0,16}m)?'
const CLOSING = ' ?[\\])>",|}]{0,2}'

/** The format of other lines that begin with their time, perhaps after a level. */
export const TIMED_LINES: LineFormat = {
  name: 'text',
  title: 'lines that begin with a time, and perhaps a level',
  examples: ['2026-11-20T10:00:00Z ERROR connection lost', '[WARN] [2026-11-20 10:00:00] disk low'],
  patterns: [
    `${OPENING}%{TIME:_time}${CLOSING}${GAP}%{MARKED_LEVEL}${GAP}%{MESSAGE:message}`,
    `${OPENING}%{TIME:_time}${CLOSING}${GAP}(?=(?:[^\\s]{1,60}[ \\t]{1,8}){0,3}${COLOR}%{BRACKETED_OR_CAPITAL_LEVEL})%{MESSAGE:message}`,
    `${OPENING}%{TIME:_time}${CLOSING}${GAP}%{MESSAGE:message}`,
    `%{MARKED_LEVEL}${GAP}${OPENING}%{TIME:_time}${CLOSING}${GAP}%{MESSAGE:message}`,
  ],
}

/** The format of other lines that begin with a level. */
const LEVELED_LINES: LineFormat = {
  name: 'level',
  title: 'lines that begin with a level, or a time of day and a level',
  examples: ['ERROR: connection lost', '10:00:00 WARN disk low'],
  patterns: [`(?:\\[?%{CLOCK:time}\\]?${GAP})?%{MARKED_LEVEL}${GAP}%{MESSAGE:message}`],
}

/** Formats that are detected, in the order of preference. */
export const LINE_FORMATS: readonly LineFormat[] = [
  ...SYSTEM_FORMATS,
  ...WEB_FORMATS,
  ...DATABASE_FORMATS,
  ...JAVA_FORMATS,
  ...PYTHON_FORMATS,
  ...LANGUAGE_FORMATS,
  ...TOOL_FORMATS,
  ...NETWORK_FORMATS,
  TIMED_LINES,
  LEVELED_LINES,
]
