import type { Random } from './random.js'

/** Pieces to insert at random places. */
const PIECES = [
  ...['|', '(', ')', '[', ']', ',', '.', '..', '=', '==', '!', '"', "'", '\\', ';', '*', '-', '//'],
  ...['where', 'summarize', 'by', 'count()', 'not', 'and', 'in', 'between', 'join', 'on', 'let'],
  ...['5', '-9223372036854775808', '1e999', '10m', '0', 'null', 'dynamic(', 'datetime(', 'x'],
  ...[
    '\u{1f600}',
    '\ud800',
    '\0',
    '\n',
    '\t',
    '`',
    '$',
    '@"',
    '--',
    '/*',
    '{',
    '}',
    '%',
    '\\u0000',
  ],
]

/** A mutated query: pieces are removed, doubled, swapped, inserted, or taken from another query. */
export function mutation(random: Random, queries: readonly string[]): string {
  const tokens = random.pick(queries).split(/(\s+|\b)/)
  for (let edits = 1 + random.below(3); edits > 0; edits--) {
    const at = random.below(tokens.length)
    switch (random.below(6)) {
      case 0:
        tokens.splice(at, 1 + random.below(3))
        break
      case 1:
        tokens.splice(at, 0, ` ${random.pick(PIECES)} `)
        break
      case 2:
        tokens[at] = random.pick(PIECES)
        break
      case 3:
        tokens.splice(at, 0, tokens.slice(at, at + 4).join(''))
        break
      case 4: {
        const other = random.pick(queries).split(/(\s+|\b)/)
        tokens[at] = random.pick(other)
        break
      }
      default: {
        // The halves of two queries: operators get unexpected columns.
        const [source = ''] = random.pick(queries).split(/(?=\|)/)
        const steps = random
          .pick(queries)
          .split(/(?=\|)/)
          .slice(1)
        return `${source}${random.percent(50) ? tokens.join('').replace(/^[^|]*/, '') : ''}${steps.join('')}`
      }
    }
  }
  return tokens.join('')
}
