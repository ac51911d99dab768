import { beforeEach, describe, expect, it } from 'vitest'
import { main } from '../../../src/main.js'
import { cannedService, tabular } from '../../support/canned-service.js'
import { fakeIo } from '../../support/fake-io.js'

const service = await cannedService()
const APL = "['logs'] | count"

beforeEach(() => {
  service.received.length = 0
  service.respondWith({ body: tabular([{ name: 'count_', type: 'integer', values: '[7]' }]) })
})

async function run(...args: string[]) {
  const io = fakeIo({ env: { EVQ_URL: service.url } })
  const exitCode = await main(['query', APL, ...args], io)
  return { exitCode, err: io.err() }
}

async function requestFor(...args: string[]): Promise<object> {
  expect(await run(...args)).toMatchObject({ exitCode: 0 })
  return JSON.parse(service.received[0]?.body ?? '')
}

it('reports a parameter that the query does not use', async () => {
  const notice = (name: string) =>
    `The query does not use the parameter \`${name}\`, which \`--param\` sets.`
  const { err } = await run('--param', 'logs=1', '--param', 'log=1', '--param', 'min age=1')
  expect(err).toContain(notice('log'))
  expect(err).toContain(notice('min age'))
  expect(err).not.toContain(notice('logs'))
})

describe('a request', () => {
  it('contains only what flags set', async () => {
    expect(await requestFor()).toEqual({ apl: APL })
  })

  // Names and types are from the specification.
  it.each([
    [['--limit', '5'], { defaultLimit: 5 }],
    [['--order', '_time:asc'], { defaultOrder: [{ field: '_time', desc: false }] }],
    [
      ['--order', 'a:b:desc', '--order', '_time:asc'],
      {
        defaultOrder: [
          { field: 'a:b', desc: true },
          { field: '_time', desc: false },
        ],
      },
    ],
    [['--cursor', '0abc'], { cursor: '0abc' }],
    [['--cursor', '0abc', '--include-cursor'], { cursor: '0abc', includeCursor: true }],
    [['--cursor-field'], { includeCursorField: true }],
    [['--library', 'one', '--library', 'two'], { libraries: ['one', 'two'] }],
    [['-p', 'n=5', '-p', 's="5"'], { variables: { n: 5, s: '5' } }],
  ])('holds what %j asks for', async (args, fields) => {
    expect(await requestFor(...args)).toEqual({ apl: APL, ...fields })
  })

  it.each([
    [['--no-cache'], { disableCache: true }],
    [['--disable-stats'], { disableStats: true }],
    [['--disable-trace'], { disableTrace: true }],
    [['--resolution', '1m30s'], { resolution: '1m30s' }],
    [['--max-data-points', '100'], { maxDataPoints: 100 }],
    [['--max-series', '10'], { maxSeries: 10 }],
    [['--no-aggregation'], { noAggregation: true }],
    [['--no-fill'], { noFill: true }],
    [['--no-interpolation'], { noInterpolation: true }],
    [['--priority', 'high'], { priority: 'high' }],
  ])('holds the query option that %j asks for', async (args, queryOptions) => {
    expect(await requestFor(...args)).toEqual({ apl: APL, queryOptions })
  })

  it('contains what several flags set', async () => {
    expect(await requestFor('--no-fill', '--no-cache', '--priority', 'low')).toMatchObject({
      queryOptions: { noFill: true, disableCache: true, priority: 'low' },
    })
  })
})

describe('a flag of a request', () => {
  it.each([
    [['--order', '_time'], '`--order` takes a field and its direction'],
    [['--order', ':asc'], '`--order` takes a field and its direction'],
    [['--priority', 'hihg'], '`--priority` does not accept `hihg`. Did you mean `high`?'],
    [['--max-series', '0'], '`--max-series` takes a whole number from 1'],
    [['--max-data-points', '1.5'], '`--max-data-points` takes a whole number from 1'],
    [['--resolution', 'fine'], '`--resolution` takes `auto` or a duration'],
  ])('is checked before anything is sent: %j', async (args, message) => {
    const { exitCode, err } = await run(...args)
    expect({ exitCode, err }).toEqual({ exitCode: 2, err: expect.stringContaining(message) })
    expect(service.received).toEqual([])
  })
})
