import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readBashLine } from '../../../../src/cli/commands/completion/bash-line.js'
import { needs } from '../../../support/needs.js'
import { RUNS } from '../../../support/runs.js'

/** `COMP_WORDBREAKS` of bash 5. */
const BREAKS = ' \t\n"\'@><=;|&(:'

const words = (line: string) => readBashLine(line, BREAKS).words
const offered = (line: string, word: string) => readBashLine(line, BREAKS).offer(word)

describe('a line of bash', () => {
  it.each([
    ['evq ', ['']],
    ['evq', []],
    ['evq tail lo', ['tail', 'lo']],
    ['evq  tail\t', ['tail', '']],
    ['evq tail "my logs" \'it"s\' a\\ b ', ['tail', 'my logs', 'it"s', 'a b', '']],
    ['evq tail "my lo', ['tail', 'my lo']],
    ["evq tail ''", ['tail', '']],
    ['evq "a\\"b\\c" \'a\\', ['a"b\\c', 'a\\']],
    ['evq --output=js', ['--output=js']],
    ['evq a:b', ['a:b']],
    ['evq a\\', ['a']],
    ['evq 注文', ['注文']],
  ])('is words: %s', (line, expected) => {
    expect(words(line)).toEqual(expected)
  })

  it.each([
    ['evq tail ', "it's $5", "it\\'s\\ \\$5"],
    ['evq tail "i', "it's $5", "it's \\$5"],
    ["evq tail 'i", "it's $5", "it'\\''s $5"],
    // Bash starts a new word after these, unless they are quoted.
    ['evq tail a:', 'a:b:c', 'b:c'],
    ['evq tail a\\:', 'a:b', 'a:b'],
    ['evq tail "a:', 'a:b', 'a:b'],
    ['evq --output=', '--output=json', 'json'],
    ['evq --out="', '--out=a b', 'a b'],
    ['evq tail "a "', 'a b', 'b'],
  ])('has a word put in: %s', (line, word, expected) => {
    expect(offered(line, word)).toBe(expected)
  })

  const hasBash = spawnSync('bash', ['--version']).status === 0

  it('quotes words so that bash reads them as meant', needs(hasBash, 'bash'), () => {
    const texts = fc.array(fc.string({ unit: 'grapheme-ascii' }), { minLength: 1, maxLength: 50 })
    fc.assert(
      fc.property(texts, fc.constantFrom('', '"', "'"), (meant, quote) => {
        const written = meant.map((text) => quote + offered(`evq ${quote}`, text) + quote)
        const script = `set +H; printf '%s\\0' ${written.join(' ')}`
        const { stdout } = spawnSync('bash', ['-c', script], { encoding: 'utf8' })
        const expected = quote === '' ? meant.filter((text) => text !== '') : meant
        if (expected.length > 0) expect(stdout.split('\0').slice(0, -1)).toEqual(expected)
        expect(words(`evq ${written.join(' ')} `)).toEqual([...expected, ''])
      }),
      { numRuns: RUNS / 2 },
    )
  })
})
