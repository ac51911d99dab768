import { expect, it } from 'vitest'
import { highlights } from '../../src/apl/language.js'

/** Returns the colored parts of a query with their kinds. */
function parts(text: string): readonly string[] {
  return highlights(text).map(({ kind, span }) => `${kind} ${text.slice(span.start, span.end)}`)
}

it('finds operators, functions, words, strings, numbers and comments', () => {
  expect(
    parts(
      `let n = 1h; // now\n['logs'] | project-away a\n| where strlen(b) > 2.5 and c !has "x" and d == true | summarize count() by e`,
    ),
  ).toEqual([
    'operator let',
    'number 1h',
    'comment // now',
    "string 'logs'",
    'operator project-away',
    'operator where',
    'function strlen',
    'number 2.5',
    'word and',
    'word !has',
    'string "x"',
    'word and',
    'number true',
    'operator summarize',
    'function count',
    'word by',
  ])
})

it('leaves fields alone that are called like operators and functions', () => {
  expect(parts('logs | extend count = where + strlen')).toEqual(['operator extend'])
})

it.each([
  ['["a', ['string "a']],
  ['where x == dynamic([1', ['operator where', 'number dynamic([1']],
  ['| pro // a "b', ['comment // a "b']],
  ['print "// no"', ['operator print', 'string "// no"']],
  ['', []],
])('reads the incomplete query %j', (text, expected) => {
  expect(parts(text)).toEqual(expected)
})
