import { sql, text } from '../sql.js'
import { derived, type Value } from '../value.js'
import { present } from './present.js'

/** `translate(search, replacement, source)`: a shorter replacement is extended with its last character; an empty one deletes. */
export function translate(search: Value, replacement: Value, source: Value): Value {
  const [from, to] = [search.constant, replacement.constant]
  if (typeof from === 'string' && typeof to === 'string') return byLists(from, to, source)
  return present('string', [search, replacement, source], (a, b, s) => {
    const other = sql`if(empty(new), '', new[least(indexOf(old, c), length(new))])`
    const each = sql`if(indexOf(old, c) = 0, c, ${other})`
    const whole = sql`arrayStringConcat(arrayMap(c -> ${each}, extractAll(${s!}, '(?s).')))`
    const lists = sql`[extractAll(${a!}, '(?s).')], [extractAll(${b!}, '(?s).')]`
    return sql`arrayMap((old, new) -> ${whole}, ${lists})[1]`
  })
}

function byLists(from: string, to: string, source: Value): Value {
  const replacements = [...to]
  const table = new Map<string, string>()
  for (const [i, character] of [...from].entries()) {
    const other = replacements[Math.min(i, replacements.length - 1)] ?? ''
    if (!table.has(character)) table.set(character, other)
  }
  if (table.size === 0) return source
  const lists = [text([...table.keys()].join('')), text([...table.values()].join(''))] as const
  return derived('string', sql`translateUTF8(${source.sql}, ${lists[0]}, ${lists[1]})`, [source])
}
