import { InputError, shown } from './error.js'
import { isBlank } from './ndjson.js'

/** How events are written in an input. */
export type Format = 'ndjson' | 'json' | 'csv'

/** As found: JSON is an array, or objects one after the other over several lines each. */
export type FoundFormat = 'ndjson' | 'json array' | 'json sequence' | 'csv'

export const FORMATS: readonly Format[] = ['ndjson', 'json', 'csv']

/** An input's beginning, and whether it is the whole of it. */
export interface Beginning {
  readonly name: string
  /** Without a byte-order mark. */
  readonly head: Buffer
  readonly isWhole: boolean
}

const OPENING_BRACE = 0x7b
const OPENING_BRACKET = 0x5b

/** The format, as asked for or as the input's beginning shows it; undefined while more is needed to tell. */
export function findFormat(asked: Format | 'auto', beginning: Beginning): FoundFormat | undefined {
  if (asked === 'ndjson' || asked === 'csv') return asked
  const { head, isWhole, name } = beginning
  const first = firstByte(head)
  if (first === undefined) return isWhole ? 'ndjson' : undefined
  if (first === OPENING_BRACKET) return 'json array'
  if (first === OPENING_BRACE) return asked === 'json' ? 'json sequence' : objects(beginning)
  if (asked === 'json') {
    throw new InputError(`${shown(name)} is not JSON: it begins with neither \`[\` nor \`{\`.`)
  }
  return lines(beginning)
}

/** Objects on a line each, or, as `jq` prints them, with a line end after the first brace. */
function objects({ head, isWhole }: Beginning): FoundFormat | undefined {
  const [, next] = /^\s*\{[ \t\r]*([^ \t\r])/.exec(head.toString('latin1')) ?? []
  if (next === undefined && !isWhole) return undefined
  return next === '\n' ? 'json sequence' : 'ndjson'
}

/** A CSV header has a comma, or the file a name that says so; an NDJSON file may begin with a bad line. */
function lines({ name, head, isWhole }: Beginning): FoundFormat | undefined {
  const text = head.toString('latin1')
  if (/\.csv(\.gz)?$/i.test(name)) return 'csv'
  if (/\.(ndjson|jsonl)(\.gz)?$/i.test(name) || /\n\s*\{"/.test(text)) return 'ndjson'
  const [firstLine = ''] = text.trimStart().split('\n', 1)
  if (firstLine.includes(',')) return 'csv'
  if (!isWhole && !text.trimStart().includes('\n')) return undefined
  throw new InputError(
    `${shown(name)} begins with neither a JSON object, an array nor a CSV header. If it is one of these all the same, \`-i ndjson\`, \`-i json\` or \`-i csv\` says so.`,
  )
}

function firstByte(head: Buffer): number | undefined {
  for (let at = 0; at < head.length; at++) if (!isBlank(head, at, at + 1)) return head[at]
  return undefined
}
