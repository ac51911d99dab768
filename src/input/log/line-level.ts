import { type Level, normalLevel } from './level.js'

/** The level is searched in this many characters of a line. */
const MAX_HEAD = 200
const LEVEL =
  /(?:^|[\s[(<|:"-])(TRACE|VERBOSE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|SEVERE|CRITICAL|ALERT|FATAL|PANIC)(?=[\s\])>:|",-]|$)/
const FINE = /(?:^|\s)(FINE(?:R|ST)?)(?=:)/
const MARKED =
  /[[(<|](trace|debug|info(?:rmation(?:al)?)?|notice|warn|warning|err|error|severe|crit|critical|alert|emerg|fatal|panic)[\])>|]/i

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one.
const COLOR = /\x1b\[[\d;]{0,16}m/g

/** Returns the level that the beginning of a line names, in capitals or in brackets; undefined when there is none. */
export function lineLevel(line: string): Level | undefined {
  const start = line.slice(0, MAX_HEAD)
  const head = start.includes('\x1b') ? start.replace(COLOR, ' ') : start
  const [, word] = LEVEL.exec(head) ?? MARKED.exec(head) ?? FINE.exec(head) ?? []
  return word === undefined ? undefined : normalLevel(word)
}
