import { describe, expect, it } from 'vitest'
import type { Expression, LiteralValue } from '../../../../src/apl/syntax/ast.js'
import { parse, wholeQuery } from '../../../../src/apl/syntax/parser.js'
import { main } from '../../../../src/main.js'
import type { AplRequest } from '../../../../src/wire/http/query.js'
import { formatTimestamp, parseTimestamp } from '../../../../src/wire/time/timestamp.js'
import { json, scriptedService } from '../../../client/scripted-service.js'
import { fakeIo } from '../../../support/fake-io.js'
import { until } from '../../../support/until.js'

const SECOND = 1_000_000_000n
const T0 = 1_769_860_000n * SECOND

/** An event with its time and its time of arrival, in seconds. */
interface Arrived {
  readonly text: string
  readonly time: number
  readonly arrived: number
}

/** A deployment without cursors that evaluates the queries of a tail over the events that have arrived. */
async function arrivingService(events: readonly Arrived[]) {
  let isDown = false
  const service = await scriptedService((response, { body }) => {
    if (isDown) return void response.socket?.resetAndDestroy()
    const request = JSON.parse(body.toString()) as AplRequest
    json(answerOf(request, events))(response, { method: '', url: '', headers: {}, body })
  })
  return {
    ...service,
    isDown: (down: boolean) => {
      isDown = down
    },
  }
}

function answerOf({ apl, startTime }: AplRequest, events: readonly Arrived[]): object {
  const start = parseTimestamp(startTime ?? '') ?? 0n
  const matching = events
    .map(({ text, time, arrived }) => ({ text, _time: at(time), _sysTime: at(arrived) }))
    .filter((event) => event._time >= start && meets(event, apl))
  if (apl.includes('max(_sysTime)')) {
    const last = matching.map(({ _sysTime }) => _sysTime).reduce((a, b) => (a > b ? a : b), 0n)
    return table({ arrived_: [last === 0n ? null : formatTimestamp(last)] })
  }
  if (apl.includes('count()')) return table({ count_: [matching.length] })
  const keys = [.../(_\w+) (asc|desc)/g[Symbol.matchAll](apl)]
  const sorted = matching.toSorted((a, b) => {
    for (const [, key, order] of keys) {
      const [x, y] = [a[key as '_time'], b[key as '_time']]
      if (x !== y) return (x < y ? -1 : 1) * (order === 'asc' ? 1 : -1)
    }
    return 0
  })
  const rows = sorted.slice(0, Number(/limit (\d+)/.exec(apl)?.[1]))
  return table({
    _sysTime: rows.map(({ _sysTime }) => formatTimestamp(_sysTime)),
    _time: rows.map(({ _time }) => formatTimestamp(_time)),
    text: rows.map(({ text }) => text),
  })
}

interface Times {
  readonly _time: bigint
  readonly _sysTime: bigint
}

/** The conditions of a tail: comparisons of times, joined by `and` and `or`. */
function meets(event: Times, apl: string): boolean {
  const query = wholeQuery(parse(apl))
  if (query === undefined) throw new Error(`not a query: ${apl}`)
  return query.operators.every(
    (operator) => operator.kind !== 'where' || evaluated(operator.predicate, event) === true,
  )
}

function evaluated(expression: Expression, event: Times): LiteralValue {
  if (expression.kind === 'literal') return expression.value
  if (expression.kind === 'name') return event[expression.name as keyof Times]
  if (expression.kind !== 'binary')
    throw new Error(`not in the query of a tail: ${expression.kind}`)
  const [left, right] = [evaluated(expression.left, event), evaluated(expression.right, event)]
  switch (expression.operator) {
    case 'and':
      return left === true && right === true
    case 'or':
      return left === true || right === true
    case '==':
      return left === right
    case '<':
      return left! < right!
    case '<=':
      return left! <= right!
    case '>':
      return left! > right!
    case '>=':
      return left! >= right!
    default:
      throw new Error(`not in the query of a tail: ${expression.operator}`)
  }
}

function table(columns: Readonly<Record<string, readonly unknown[]>>): object {
  const fields = Object.keys(columns).map((name) => ({ name, type: '' }))
  const rows = Object.values(columns)[0]?.length ?? 0
  const one = { name: '0', sources: [], fields, order: [], groups: [] }
  return {
    format: 'tabular',
    status: { rowsMatched: rows },
    tables: [{ ...one, columns: Object.values(columns) }],
  }
}

const at = (second: number) => T0 + BigInt(Math.round(second * 1_000)) * 1_000_000n

/** A tail of it with a manual clock. */
function tail(url: string, ...args: string[]) {
  let seconds = 100
  const io = fakeIo({ env: { EVQ_URL: url } })
  const world = { ...io, now: () => Number(at(seconds) / 1_000_000n) }
  const ended = main(['tail', 'logs', '--interval', '50ms', ...args], world)
  return {
    texts: () => io.out().match(/(?<="text":")[^"]*/g) ?? [],
    err: io.err,
    later: (by: number) => {
      seconds += by
    },
    async stop() {
      process.emit('SIGTERM', 'SIGTERM')
      expect(await ended).toBe(143)
    },
  }
}

/** Resolves after enough further polls for all arrived events to be printed. */
async function untilPolled(service: { readonly received: readonly unknown[] }): Promise<void> {
  const before = service.received.length
  await until(() => service.received.length >= before + 6, 'six more requests')
}

describe('tail by time', () => {
  it('shows an event that becomes visible late, whatever the poll interval', async () => {
    const events: Arrived[] = [{ text: 'old', time: 1, arrived: 10 }]
    const service = await arrivingService(events)
    const followed = tail(service.url)
    await untilPolled(service)
    events.push({ text: 'b', time: 2, arrived: 20 })
    await untilPolled(service)
    // The next poll is a minute later: a long interval, a lost connection or a suspended machine.
    followed.later(60)
    events.push({ text: 'late', time: 3, arrived: 19 })
    await untilPolled(service)
    events.push({ text: 'c', time: 1, arrived: 30 }, { text: 'c', time: 1, arrived: 30 })
    await untilPolled(service)
    followed.later(60)
    await untilPolled(service)
    await followed.stop()
    expect(followed.texts()).toEqual(['b', 'late', 'c', 'c'])
  })

  it('shows an event that becomes visible half a minute after its arrival', async () => {
    const events: Arrived[] = [{ text: 'old', time: 1, arrived: 10 }]
    const service = await arrivingService(events)
    const followed = tail(service.url)
    await untilPolled(service)
    events.push({ text: 'b', time: 2, arrived: 40 })
    await untilPolled(service)
    // Polled several times until then.
    for (const seconds of [10, 10, 10]) {
      followed.later(seconds)
      await untilPolled(service)
    }
    events.push({ text: 'slow', time: 3, arrived: 35 })
    await untilPolled(service)
    await followed.stop()
    expect(followed.texts()).toEqual(['b', 'slow'])
  })

  it.each([
    [[], []],
    [
      ['--since', '1970-01-01'],
      ['a', 'b', 'b'],
    ],
    [['-n', '1'], ['b']],
  ])('shows what was being stored when it began, once: %j', async (args, shown) => {
    const events: Arrived[] = [
      { text: 'a', time: 1, arrived: 18 },
      { text: 'b', time: 2, arrived: 20 },
      { text: 'b', time: 2, arrived: 20 },
    ]
    const service = await arrivingService(events)
    const followed = tail(service.url, '--late', '3650d', ...args)
    await untilPolled(service)
    expect(followed.texts()).toEqual(shown)
    // At the time of an earlier event, before it, and between two.
    events.push({ text: 'b', time: 2, arrived: 20 }, { text: 'c', time: 2, arrived: 20 })
    events.push({ text: 'd', time: 1, arrived: 19 }, { text: 'e', time: 1, arrived: 16 })
    await untilPolled(service)
    followed.later(10)
    await untilPolled(service)
    await followed.stop()
    expect(followed.texts().toSorted()).toEqual([...shown, 'b', 'c', 'd', 'e'].toSorted())
  })

  it.each([
    [
      ['--since', '1970-01-01'],
      ['a', 'b'],
    ],
    [['-n', '1'], ['b']],
  ])('shows events that are older than those that arrive may be: %j', async (args, shown) => {
    const events: Arrived[] = [
      { text: 'a', time: -300_000, arrived: -299_999 },
      { text: 'b', time: -200_000, arrived: -199_999 },
    ]
    const service = await arrivingService(events)
    const followed = tail(service.url, ...args)
    await untilPolled(service)
    events.push({ text: 'c', time: 1, arrived: 10 })
    await untilPolled(service)
    await followed.stop()
    expect(followed.texts()).toEqual([...shown, 'c'])
  })

  it('resumes after an outage with the events that arrived during it', async () => {
    const events: Arrived[] = []
    const service = await arrivingService(events)
    const followed = tail(service.url)
    await untilPolled(service)
    events.push({ text: 'a', time: 1, arrived: 10 })
    await untilPolled(service)
    service.isDown(true)
    await until(() => followed.err().includes('No response'), 'a report that the service is away')
    followed.later(3_600)
    events.push({ text: 'late', time: 1, arrived: 9 }, { text: 'b', time: 1, arrived: 3_000 })
    service.isDown(false)
    await until(
      () => followed.texts().length >= 3,
      () => `three events, not ${followed.texts()}`,
    )
    followed.later(60)
    await untilPolled(service)
    await followed.stop()
    expect(followed.texts()[0]).toBe('a')
    expect(followed.texts().toSorted()).toEqual(['a', 'b', 'late'])
    expect(followed.err()).toMatch(/^No response \(.*\nConnected again\.\n$/)
  })
})
