import type { LogFormat } from './log/layout.js'
import { isTable } from './table.js'

/** So many lines are looked at; most of them decide. */
const SAMPLE = 32

const CLF = / \[\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d(?:\.\d+)? [+-]\d\d:?\d\d\] "/
const SYSLOG = /^(?:[1-9]\d* )?<\d{1,3}>\S|^[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?:\.\d+)? \S/
/** As daemons of syslog write it to files today; other logs begin so too, with a level where the host is. */
const DATED_SYSLOG =
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d) (?!\[?(?:trace|debug|info|notice|warn|warning|error|fatal|critical)\b)\S+ [\w./-]+(?:\[\d+\])?: /i
const PAIR = /(?:^|\s)[A-Za-z_@][\w.@/-]*=(?:"(?:[^"\\]|\\.)*"|[^\s"]*)(?=\s|$)/g

const LOGS: readonly (readonly [format: LogFormat, isLine: (line: string) => boolean])[] = [
  ['clf', (line) => CLF.test(line)],
  ['syslog', (line) => SYSLOG.test(line) || DATED_SYSLOG.test(line)],
  ['logfmt', (line) => /^[^\s="]+=/.test(line) && (line.match(PAIR)?.length ?? 0) >= 2],
]

/**
 * What lines that are no JSON look like; undefined while more is needed to tell. Logs of a form of their own
 * come before tables: a comma in each of their messages makes no columns.
 */
export function recogniseLines(
  text: string,
  { isWhole }: { readonly isWhole: boolean },
): LogFormat | 'csv' | 'tsv' | undefined {
  const end = isWhole ? text.length : text.lastIndexOf('\n') + 1
  const lines = text
    .slice(0, end)
    .split('\n')
    .map((line) => line.trim().slice(0, 4096))
    .filter((line) => line !== '')
    .slice(0, SAMPLE)
  if (lines.length === 0) return undefined
  const log = LOGS.find(([, isLine]) => lines.filter(isLine).length * 2 > lines.length)
  if (log !== undefined) return log[0]
  // Whether a line is a header the next one tells.
  if (lines.length === 1 && !isWhole && /[,\t]/.test(lines[0]!)) return undefined
  if (isTable(text.slice(0, end), '\t')) return 'tsv'
  return isTable(text.slice(0, end), ',') ? 'csv' : 'text'
}
