import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RUNS } from '../../support/runs.js'
import { event, read } from './support.js'

const line = (...fields: readonly string[]) => `${fields.join('\t')}\n`

describe('LTSV', () => {
  it('has the fields and the time of a web server, and no field for a dash', async () => {
    const text = line(
      ...['time:20/Nov/2026:10:00:00 +0100', 'host:10.0.0.1', 'req:GET /a?b=c:d HTTP/1.1'],
      ...['status:200', 'ua:Mozilla/5.0 (X11; Linux)', 'referer:-', 'reqtime:0.012'],
    )
    expect(await event(text, {})).toEqual({
      _time: '2026-11-20T10:00:00+01:00',
      host: '10.0.0.1',
      req: 'GET /a?b=c:d HTTP/1.1',
      status: 200,
      ua: 'Mozilla/5.0 (X11; Linux)',
      reqtime: 0.012,
    })
  })

  it.each([
    ['time:[20/Nov/2026:10:00:00 +0000]', { _time: '2026-11-20T10:00:00+00:00' }],
    ['time:2026-11-20T10:00:00.5Z', { _time: '2026-11-20T10:00:00.5Z' }],
    ['ts:1795168800', { _time: 1795168800 }],
    ['time:0.25', { time: 0.25 }],
    ['level:WARNING', { level: 'warn', severity_text: 'WARNING' }],
    ['n:12345678901234567890', { n: '12345678901234567890' }],
    ['empty:', { empty: '' }],
  ])('reads `%s`', async (field, expected) => {
    expect(await event(line(field, 'a:1'), {})).toMatchObject({ ...expected, a: 1 })
  })

  it('keeps its time as a field when another field has the event time', async () => {
    const text = line('time:2026-11-20T10:00:00Z', 'a:1')
    const expected = { time: '2026-11-20T10:00:00Z', a: 1 }
    expect(await event(text, { findsTime: false })).toEqual(expected)
  })

  it('is found in wrapped lines, and other lines become messages', async () => {
    const { events } = await read(
      `web-1  | ${line('time:2026-11-20T10:00:00Z', 'a:1')}web-1  | ${line('time:2026-11-20T10:00:01Z', 'a:2')}web-1  | bye\n`,
      {},
    )
    expect(events.map((text) => JSON.parse(text))).toMatchObject([
      { service: 'web', _time: '2026-11-20T10:00:00Z', a: 1 },
      { service: 'web', _time: '2026-11-20T10:00:01Z', a: 2 },
      { service: 'web', _time: '2026-11-20T10:00:01Z', message: 'bye' },
    ])
  })

  it('has every value of a line', async () => {
    const label = fc.stringMatching(/^[A-Za-z_][\w.-]{0,20}$/)
    const value = fc.string({ maxLength: 20 }).map((text) => text.replace(/[\t\r\n]/g, ' '))
    const names = ['_time', 'ts', 'time', 'timestamp', 'level']
    const fields = fc
      .uniqueArray(fc.tuple(label, value), { minLength: 2, maxLength: 8, selector: ([key]) => key })
      .filter((pairs) => pairs.every(([key]) => !names.includes(key)))
    await fc.assert(
      fc.asyncProperty(fields, async (pairs) => {
        const text = line(...pairs.map((pair) => pair.join(':x')))
        const expected = Object.fromEntries(pairs.map(([key, one]) => [key, `x${one}`]))
        expect(await event(text, { format: 'ltsv' })).toEqual(expected)
      }),
      { numRuns: RUNS },
    )
  })
})
