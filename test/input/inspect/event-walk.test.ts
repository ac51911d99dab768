import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EventWalk } from '../../../src/input/inspect/event-walk.js'
import { FieldTree, VALUE_TYPES } from '../../../src/input/inspect/field-node.js'
import { classifyLine } from '../../../src/wire/event/classify-line.js'
import { KIND } from '../../../src/wire/json/kinds.js'
import { RUNS } from '../../support/runs.js'

describe('EventWalk', () => {
  it('finds the type of each value', () => {
    const text =
      ' {"n":-12,"f":0.5,"s":"a\\n\\u00e9","t":true,"l":[1,{"x":[]}],"z":null,"g":{"é":1},"e":{}} '
    expect(walked(text)).toEqual([
      'n integer',
      'f float',
      's string',
      't boolean',
      'l array',
      'z null',
      'g.é integer',
      'g group',
      'e group',
    ])
  })

  it.each([
    '{"n":1234567890123456789}',
    '{"n":1e3}',
    '{"a":1,"a":2}',
    '{"":1}',
    '{"a\\u0062":1}',
    '{"s":"\\ud800"}',
    '{"n":01}',
    '{"n":1.}',
    '{"n":-}',
    '{"s":"\t"}',
    '{"n":1,}',
    '{"n":1} 2',
    '[1]',
    '{"n":tru}',
    '{"n":nul',
    '{"l":[{"":1}]}',
    '{',
    '',
  ])('leaves unusual events to the exact reader: %s', (text) => {
    expect(walked(text)).toBeUndefined()
  })

  it('accepts nothing that the exact reader rejects, and finds the same in what both accept', () => {
    const texts = fc.oneof(
      fc.json({ maxDepth: 4 }),
      fc
        .dictionary(fc.string({ maxLength: 3 }), fc.jsonValue())
        .map((value) => JSON.stringify(value)),
      fc
        .tuple(fc.json(), fc.nat(40), fc.constantFrom(...'"\\{}[]:,01.eE-+\u0000 utn'))
        .map(([text, at, sign]) => `{"a":${text.slice(0, at)}${sign}${text.slice(at + 1)}}`),
    )
    fc.assert(
      fc.property(texts, (text) => {
        const found = walked(text)
        if (found !== undefined) {
          expect(found.filter((one) => !one.endsWith(' group'))).toEqual(exact(text))
        }
      }),
      { numRuns: 60 * RUNS },
    )
  })

  it('accepts ordinary events with keys in any order', () => {
    const plain = fc.oneof(fc.maxSafeInteger(), fc.boolean(), fc.constant(null), fc.string())
    const events = fc.array(fc.dictionary(fc.stringMatching(/^[a-c_é]{1,2}$/), plain), {
      maxLength: 9,
    })
    fc.assert(
      fc.property(events, (several) => {
        const walk = new EventWalk(new FieldTree())
        for (const event of several) {
          const bytes = Buffer.from(`x${JSON.stringify(event)}x`)
          expect(walk.walk(bytes, 1, bytes.length - 1)).toBe(true)
        }
      }),
    )
  })
})

function walked(text: string): readonly string[] | undefined {
  const walk = new EventWalk(new FieldTree())
  const bytes = Buffer.from(text)
  if (!walk.walk(bytes, 0, bytes.length)) return undefined
  return walk.nodes
    .slice(0, walk.values)
    .map(({ path }, i) => `${path.join('.')} ${VALUE_TYPES[walk.types[i]!]}`)
}

/** The result of the service's reader; empty objects are not values. */
function exact(text: string): readonly string[] {
  const judged = classifyLine(text, { timestampField: 'no such field' })
  if (judged.kind !== 'event') throw new Error(`refused, but walked: ${text}`)
  return judged.leaves
    .filter(({ form }) => form !== 'empty-object')
    .map(({ path, form, kinds }) => {
      const names = { number: (kinds & KIND.real) !== 0 ? 'float' : 'integer', bool: 'boolean' }
      return `${path.join('.')} ${{ ...names }[form as 'number'] ?? form}`
    })
}
