import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RUNS } from '../../../support/runs.js'
import { openView, typed } from '../../../support/view.js'
import { eventsIn, eventsOfCommand, fileOf, range } from '../../../support/view-events.js'

describe('leaving', () => {
  it('prints a command for exactly the events on the screen, whatever keys were pressed', async () => {
    const file = fileOf('random.ndjson', range(0, 30))
    const moves = [
      'j',
      'k',
      'G',
      'g',
      ' ',
      'b',
      'n',
      'e',
      'W',
      'u',
      'Ctrl-R',
      'Ctrl-F',
      'Ctrl-D',
      'i',
      'z',
      'Z',
      'S',
    ]
    const byValue = fc
      .tuple(
        fc.array(fc.constantFrom('j', 'k', 'G'), { maxLength: 6 }),
        fc.constantFrom('=', '!', '<', '>'),
      )
      .map(([fields, comparison]) => ['=', ...fields, comparison, 'Escape'])
    const texts = fc
      .constantFrom('event 1', '!event 2', 'web-', '"of"', "it's", '$HOME', '!nothing')
      .map((text) => ['&', ...typed(text), 'Enter'])
    const queries = fc
      .constantFrom(
        ' | where status in (200, 300)',
        ' | extend x = status * 2',
        ' | project message, level',
        ' | where bad',
      )
      .map((text) => [':', ...typed(text), 'Enter', 'Escape'])
    const facets = fc
      .tuple(fc.array(fc.constantFrom('j', 'l', 'h'), { maxLength: 5 }), fc.constantFrom('=', '!'))
      .map(([steps, comparison]) => ['v', ...steps, comparison, 'Escape'])
    const operators = fc
      .tuple(fc.constantFrom('h', 'g', 'G'), fc.constantFrom(' ', 'Delete'))
      .map(([step, change]) => ['Tab', step, change, 'Escape'])
    const keys = fc.oneof(
      { weight: 2, arbitrary: operators },
      { weight: 2, arbitrary: facets },
      { weight: 3, arbitrary: fc.constantFrom(...moves).map((key) => [key]) },
      { weight: 3, arbitrary: byValue },
      { weight: 2, arbitrary: texts },
      { weight: 1, arbitrary: queries },
    )
    for (const sequence of fc.sample(fc.array(keys, { minLength: 2, maxLength: 9 }), {
      numRuns: 0.3 * RUNS,
    })) {
      const view = await openView([file], { rows: 60, columns: 120 })
      await view.press(...sequence.flat())
      const shown = eventsIn(view.screen().slice(1, -1))
      expect({ sequence, events: await eventsOfCommand(view) }).toEqual({
        sequence,
        events: shown,
      })
    }
  })
})
