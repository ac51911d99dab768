import { describe, expect, it } from 'vitest'
import { fieldFacts } from '../../../src/input/inspect/field-facts.js'
import { type Fields, fieldAt, TYPE } from '../../../src/input/inspect/field-values.js'

describe('the facts about a field', () => {
  it('count an event once that has it as a member and as a dotted key', () => {
    const fields: Fields = new Map()
    fieldAt(fields, ['a']).count(TYPE.group, 1, () => 'x:1')
    fieldAt(fields, ['a', 'b']).count(TYPE.integer, 1, () => 'x:1')
    fieldAt(fields, ['a.b']).count(TYPE.string, 1, () => 'x:1')
    expect(fieldFacts(fields)).toEqual([
      {
        field: 'a.b',
        events: 1,
        types: [{ type: 'integer', events: 1, first: 'x:1' }],
        hasDrift: false,
      },
    ])
  })
})
