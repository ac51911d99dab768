import fc from 'fast-check'
import { expect, it } from 'vitest'
import { passagesOf } from '../../../../src/cli/commands/view/context-rows.js'
import type { ViewRow } from '../../../../src/cli/commands/view/row.js'
import { RUNS } from '../../../support/runs.js'

/** Events whose cursors are their numbers, and how they are read. */
function eventsUpTo(count: number) {
  const events = Array.from(
    { length: count },
    (_, at): ViewRow => ({ cells: new Map(), cursor: `${at}` }),
  )
  const read: Parameters<typeof passagesOf>[0]['read'] = async (
    cursor,
    { isBackward, includeCursor = false, limit },
  ) => {
    const at = Number(cursor)
    if (isBackward) return events.slice(Math.max(0, at - limit), at)
    return events.slice(includeCursor ? at : at + 1).slice(0, limit)
  }
  return { events, read }
}

it('shows each event near a match once, in order, and where events are left out', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 700 }),
      fc.uniqueArray(fc.nat({ max: 699 }), { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 7 }),
      async (count, places, around, perPage) => {
        const { events, read } = eventsUpTo(count)
        const matched = places.filter((at) => at < count).toSorted((one, other) => one - other)
        const rows: ViewRow[] = []
        for (let first = 0; first < matched.length; first += perPage) {
          const next = matched[first + perPage]
          rows.push(
            ...(await passagesOf({
              ...{ around, read, after: rows.at(-1)?.cursor },
              matches: matched.slice(first, first + perPage).map((at) => events[at]!),
              before: next === undefined ? undefined : `${next}`,
            })),
          )
        }
        const near = events.flatMap((_, at) =>
          matched.some((match) => Math.abs(match - at) <= around) ? [at] : [],
        )
        const shown = rows.map(({ cursor }) => Number(cursor))
        expect(shown).toEqual(near)
        expect(rows.map(({ isBeside = false }) => !isBeside)).toEqual(
          near.map((at) => matched.includes(at)),
        )
        const isApart = rows.map((row) => row.isApart === true)
        expect(isApart).toEqual(near.map((at, index) => at > 0 && at - 1 !== near[index - 1]))
      },
    ),
    { numRuns: 10 * RUNS },
  )
})

it('goes on after a match that was deleted in the meantime', async () => {
  const { events, read } = eventsUpTo(700)
  const matches = [events[5]!, events[300]!]
  const rows = await passagesOf({
    ...{ matches, around: 1, after: undefined, before: undefined },
    // One event more is read, so that the page is as long without the deleted one.
    read: async (cursor, part) => {
      const page = await read(cursor, { ...part, limit: part.limit + 1 })
      const there = page.filter((event) => event.cursor !== '5')
      return part.isBackward ? there.slice(-part.limit) : there.slice(0, part.limit)
    },
  })
  const found = rows.filter(({ isBeside }) => !isBeside)
  expect(found.map(({ cursor }) => cursor)).toEqual(['300'])
  expect(rows.slice(-3).map(({ cursor }) => cursor)).toEqual(['299', '300', '301'])
})
