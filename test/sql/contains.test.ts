import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.js'
import { list, raw, sql, text } from '../../src/sql/sql.js'
import { openTestEngine } from '../support/engine.js'

// `contains` searches bytes for terms in ASCII, as if the engine compared characters. This holds only if no other character
// matches a letter of ASCII; in regular expressions, the Kelvin sign matches k, and the long s matches s.

const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz', (letter) => letter)

/** All characters outside ASCII but surrogates, each as a string. */
const CHARACTERS = sql`(
  SELECT convertCharset(concat('\\0', char(bitShiftRight(code, 16), bitAnd(bitShiftRight(code, 8), 255), bitAnd(code, 255))), 'UTF-32BE', 'UTF-8') AS character
  FROM (SELECT number + 128 AS code FROM numbers(0x110000 - 128)) WHERE NOT (code BETWEEN 0xd800 AND 0xdfff))`

let engine: Engine

beforeAll(async () => {
  engine = await openTestEngine()
})

afterAll(async () => {
  await engine.close()
})

describe('the search of a letter without regard to case', () => {
  it('finds it in no character outside ASCII', async () => {
    const found = LETTERS.map(
      (letter) => sql`countIf(positionCaseInsensitiveUTF8(character, ${text(letter)}) > 0)`,
    )
    const { columns } = await engine.ask(
      sql`SELECT uniqExact(character) AS characters, [${list(found)}] AS found FROM ${CHARACTERS}`,
    )
    expect(columns.get('characters')).toContain(`${0x110000 - 128 - 2048}`)
    expect(JSON.parse(columns.get('found')!).flat().map(Number)).toEqual(LETTERS.map(() => 0))
  })

  it('finds it in the Kelvin sign and the long s when it is a regular expression', async () => {
    const { columns } = await engine.ask(
      sql`SELECT ${raw("match('\u212a', '(?i)k') + match('\u017f', '(?i)s')")} AS found`,
    )
    expect(columns.get('found')).toBe('[2]')
  })
})
