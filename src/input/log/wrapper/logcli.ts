import { decodeEscapes } from '../quoted.js'
import type { Wrapper } from './wrapper.js'

const LABEL = '[A-Za-z_]\\w{0,100}="(?:[^"\\\\]|\\\\.){0,1000}"'
const LINE = new RegExp(
  `^(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?(?:Z|[+-]\\d\\d:\\d\\d)) \\{((?:${LABEL}(?:, ?${LABEL}){0,40})?)\\} {1,200}`,
)
const LABELS = /([A-Za-z_]\w*)="((?:[^"\\]|\\.)*)"/g
/** The labels that name a program. Other labels, such as a level, may differ from line to line. */
const PROGRAM = /\b(?:app|service_name|service|container|job)="[^"]*"/g

/** Lines of Loki with their labels, quoted as in Go. The labels become fields. */
export const LOGCLI: Wrapper = {
  name: 'logcli',
  title: 'logcli query: lines of Loki with their labels',
  example: '2026-11-20T10:00:00Z {app="api"} started',
  hasTime: true,
  parse(line) {
    const [head, time, labels] = LINE.exec(line) ?? []
    if (head === undefined || labels === undefined) return undefined
    const fields = [...labels.matchAll(LABELS)].map(
      ([, name = '', value = '']) => [name, decodeEscapes(value)] as const,
    )
    return { source: programOf(labels), fields, time, text: line.slice(head.length) }
  },
  head(line) {
    const [head, , labels] = LINE.exec(line) ?? []
    if (head === undefined || labels === undefined) return undefined
    return { source: programOf(labels), text: line.slice(head.length) }
  },
}

function programOf(labels: string): string {
  return labels.match(PROGRAM)?.join() ?? ''
}
