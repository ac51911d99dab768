import { exactJsonText } from '../../../wire/json/exact-json.js'
import { isJsonObject } from '../../../wire/json/json-object.js'
import type { Io } from '../../context.js'
import type { StarredDraft } from './edit.js'

interface DifferenceLine {
  readonly kind: 'removed' | 'added'
  readonly text: string
}

/** Returns the differences between two records, sorted by member; empty when the records are equal. */
export function difference(before: StarredDraft, after: StarredDraft): readonly DifferenceLine[] {
  const old = new Map(leaves(before))
  const fresh = new Map(leaves(after))
  const names = [...new Set([...old.keys(), ...fresh.keys()])].sort()
  return names.flatMap((name) => {
    const [from, to] = [old.get(name), fresh.get(name)]
    if (from === to) return []
    return [...lines('removed', name, from), ...lines('added', name, to)]
  })
}

function lines(kind: DifferenceLine['kind'], name: string, value: string | undefined) {
  if (value === undefined) return []
  const sign = kind === 'removed' ? '-' : '+'
  const [first = '', ...rest] = value.split('\n')
  return [`${sign} ${name}: ${first}`, ...rest.map((line) => `${sign}   ${line}`)].map(
    (text): DifferenceLine => ({ kind, text }),
  )
}

/** Yields the values of a record with their paths. */
function* leaves(value: StarredDraft, path = ''): Generator<[string, string]> {
  for (const [key, member] of Object.entries(value)) {
    const name = path === '' ? key : `${path}.${key}`
    if (typeof member === 'string') yield [name, member]
    else if (isJsonObject(member) && Object.keys(member).length > 0) yield* leaves(member, name)
    else yield [name, exactJsonText(member)]
  }
}

/** Prints a record as JSON: indented on a terminal, otherwise on one line. */
export function writeRecord(record: object, { stdout }: Pick<Io, 'stdout'>): void {
  const text = stdout.isTTY ? exactJsonText(record, '  ') : exactJsonText(record)
  stdout.write(`${text}\n`)
}
