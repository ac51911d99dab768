import { describe, expect, it } from 'vitest'
import { type Fields, fieldAt, fieldFacts } from '../../../src/input/inspect/field-facts.js'

describe('the facts about a field', () => {
  it('count an event once that has it as a member and as a dotted key', () => {
    const fields: Fields = new Map()
    fieldAt(fields, ['a']).count('group', 1, () => 'x:1')
    fieldAt(fields, ['a', 'b']).count('integer', 1, () => 'x:1')
    fieldAt(fields, ['a.b']).count('string', 1, () => 'x:1')
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
