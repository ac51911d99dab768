import { describe, expect, it } from 'vitest'
import { liveContext } from '../../../src/cli/around/live.js'

/** Prints numbers as grep does: `>` in front of a match, `--` between groups. `5a` is an event 5 of the source `a`. */
function grep(events: string, matches: string, before: number, after: number, by: string[] = []) {
  const live = liveContext({ before, after, by })
  const wanted = matches.split(' ')
  return events
    .split(' ')
    .flatMap((text) =>
      live.add(
        new Map([
          ['text', text],
          ['source', text.slice(-1)],
        ]),
        wanted.includes(text),
      ),
    )
    .flatMap(({ event, isMatch, isApart }) => [
      ...(isApart ? ['--'] : []),
      `${isMatch ? '>' : ''}${event.get('text')}`,
    ])
    .join(' ')
}

describe('the context of arriving events', () => {
  it.each([
    ['1 2 3 4 5', '3', 1, 1, '2 >3 4'],
    ['1 2 3 4 5', '3', 0, 0, '>3'],
    ['1 2 3 4 5', '1 5', 1, 1, '>1 2 -- 4 >5'],
    ['1 2 3 4 5', '2 4', 1, 1, '1 >2 3 >4 5'],
    ['1 2 3 4 5', '1 2', 2, 1, '>1 >2 3'],
    ['1 2 3 4 5 6 7', '1 7', 3, 2, '>1 2 3 4 5 6 >7'],
    ['1 2 3 4 5 6 7', '1 7', 2, 2, '>1 2 3 -- 5 6 >7'],
    ['1 2 3', '9', 1, 1, ''],
  ])(
    'of %s with matches %s, %i before and %i after is %s',
    (events, matches, before, after, shown) => {
      expect(grep(events, matches, before, after)).toBe(shown)
    },
  )

  it('stays within a source', () => {
    expect(grep('1a 2b 3a 4b 5a 6b', '3a', 1, 1, ['source'])).toBe('1a >3a 5a')
    // Between two events of one source there is one of another.
    expect(grep('1a 2a 3b 4a', '2a 3b', 1, 1, ['source'])).toBe('1a >2a -- >3b -- 4a')
  })
})
