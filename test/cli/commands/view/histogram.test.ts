import { expect, it } from 'vitest'
import { readHistogram } from '../../../../src/cli/commands/view/histogram.js'
import { decodeTabularResult } from '../../../../src/wire/http/tabular-result.js'
import { tabular } from '../../../support/canned-service.js'

it('counts events of the range alone when others arrive before they are counted', async () => {
  const datetimes = (name: string, ...values: string[]) => ({
    ...{ name, type: 'datetime', values: JSON.stringify(values) },
  })
  const count = { name: 'events_', type: 'long', values: '[9,2,3,1]' }
  const results = [
    tabular([
      datetimes('first_', '2026-01-01T10:00:00.001Z'),
      datetimes('last_', '2026-01-01T10:00:00.004Z'),
    ]),
    tabular([
      datetimes(
        'start_',
        ...['1970-01-01T00:00:00Z', '2026-01-01T10:00:00.001Z'],
        ...['2026-01-01T10:00:00.004Z', '2038-01-01T00:00:00Z'],
      ),
      count,
    ]),
  ]
  const ask = async () => decodeTabularResult(results.shift()!).tables[0]
  const query = { source: "['logs']", operators: [], isByTime: true }
  const histogram = await readHistogram({ query, levels: [], most: 100, ask })
  expect(histogram?.start).toBe(BigInt(Date.parse('2026-01-01T10:00:00.001Z')) * 1_000_000n)
  const events = histogram?.bars.map((bar) => bar.events) ?? []
  expect([events[0], events.at(-1), events.filter((n) => n > 0).length]).toEqual([2, 3, 2])
})
