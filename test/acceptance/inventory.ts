import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** An entry of the inventory: a name of the language and its results. */
export interface Entry {
  readonly kind: 'function' | 'aggregation' | 'tabular' | 'statement' | 'sign'
  readonly name: string
  readonly category: string
  readonly signature: string
  readonly answers?: readonly Expected[]
  /** The decision that overrules the value in the inventory. */
  readonly overruledBy?: string
  readonly refused?: { readonly query: string; readonly because: string }
}

/** A query and its rows according to the inventory. */
export interface Expected {
  readonly query: string
  readonly rows: readonly (readonly unknown[])[]
}

export const INVENTORY: readonly Entry[] = lines('inventory.ndjson').map(
  (line) => JSON.parse(line) as Entry,
)

/** True when the text of a query uses the entry. */
export function uses(query: string, { kind, name }: Entry): boolean {
  return pattern(kind, name).test(query)
}

function pattern(kind: Entry['kind'], name: string): RegExp {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  switch (kind) {
    case 'function':
    case 'aggregation':
      return new RegExp(`(?<![\\w-])${escaped}\\s*\\(`)
    case 'tabular':
      return new RegExp(`(?:^|[|(;\\n])\\s*${escaped.replace(' ', '\\b[^|]*?')}(?![\\w-])`)
    case 'statement':
      return new RegExp(`(?:^|[|(;\\n])\\s*${escaped.replace('\\(\\)', '\\s*\\(')}`)
    case 'sign':
      return sign(name, escaped)
    default:
      return kind satisfies never
  }
}

function sign(name: string, escaped: string): RegExp {
  if (name === 'has on *') return /\*\s+has\b/
  const isWord = /^!?[a-z]/.test(name)
  if (!isWord) return new RegExp(`\\s${escaped}\\s`)
  return new RegExp(`(?<![\\w!-])${escaped}(?![\\w~-])`)
}

function lines(file: string): readonly string[] {
  return readFileSync(join(import.meta.dirname, file), 'utf8')
    .trim()
    .split('\n')
}
