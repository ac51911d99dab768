import { describe, expect, it } from 'vitest'
import { runToEnd } from '../../../support/ingest-run.js'
import { roughService } from '../../../support/rough-service.js'

const lines = (count: number, bad: readonly number[] = []) =>
  Array.from({ length: count }, (_, n) => `{"n":${n}${bad.includes(n) ? ',"bad":true' : ''}}`)
const isBad = (event: string) => event.includes('bad')

describe('a batch that is rejected as a whole', () => {
  it('is split at the events that the service names, and good events are stored once', async () => {
    const service = await roughService({ refuses: 'whole, by index', isBad })
    const events = lines(1000, [17, 18, 500, 999])
    const { exitCode, err } = await runToEnd({ url: service.url, stdin: events.join('\n') })
    expect(service.events).toEqual(events.filter((event) => !isBad(event)))
    expect(exitCode).toBe(3)
    expect(err).toContain('standard input:18: ')
    expect(err).toContain('standard input:1000: ')
    expect(err).toMatch(/logs: 996 events stored, 4 rejected/)
    expect(service.requests).toBeLessThan(30)
  })

  it('is halved when the service names no events', async () => {
    const service = await roughService({ refuses: 'whole', isBad })
    const events = lines(1000, [333])
    const { exitCode, err } = await runToEnd({ url: service.url, stdin: events.join('\n') })
    expect(service.events).toEqual(events.filter((event) => !isBad(event)))
    expect(err).toContain('standard input:334: ')
    expect(exitCode).toBe(3)
    // Two requests for each of log2(1000) levels.
    expect(service.requests).toBeLessThan(24)
  })

  it('is not split at named events that turn out to be good', async () => {
    const service = await roughService({ refuses: 'whole, by index from 1', isBad })
    const events = lines(100, [7, 70])
    const { err } = await runToEnd({ url: service.url, stdin: events.join('\n') })
    expect(new Set(service.events)).toEqual(new Set(events.filter((event) => !isBad(event))))
    expect(service.events.length).toBe(98)
    expect(err).toContain('standard input:8: ')
    expect(err).toContain('standard input:71: ')
  })

  it('is split by size when too large, as are later batches before they are sent', async () => {
    const service = await roughService({ mostBytes: 500 })
    const events = lines(200)
    const args = { 'batch-size': '100', concurrency: '1' }
    const { exitCode } = await runToEnd({ url: service.url, stdin: events.join('\n'), args })
    expect(service.events).toEqual(events)
    expect(exitCode).toBe(0)
    expect(service.refused).toBe(2)
  })

  it('has its CSV header in each part', async () => {
    const service = await roughService({ refuses: 'whole', isBad })
    const rows = ['1,"x\ny"', '2,bad', '3,z', '4,"a, b"']
    const { err } = await runToEnd({ url: service.url, stdin: `a,b\r\n${rows.join('\r\n')}` })
    expect(service.events).toEqual([rows[0], rows[2], rows[3]])
    expect(service.heads).toEqual(new Set(['a,b']))
    expect(err).toContain('standard input:4: ')
  })

  it('of an array is split between its elements', async () => {
    const service = await roughService({ refuses: 'whole', isBad })
    const stdin = '[ {"a":[1,{"b":"],"}]} ,\n {"bad":1}, "x\\"]", {"c":3}\n]'
    const { err } = await runToEnd({ url: service.url, stdin })
    expect(service.events).toEqual(['{"a":[1,{"b":"],"}]}', '"x\\"]"', '{"c":3}'])
    expect(err).toContain('standard input, event 2: ')
  })

  it('ends the run early when every event is rejected for the same reason', async () => {
    const service = await roughService({ refuses: 'whole', isBad: () => true })
    const { exitCode, err } = await runToEnd({ url: service.url, stdin: lines(5000).join('\n') })
    expect(exitCode).toBe(1)
    expect(service.requests).toBeLessThan(70)
    expect(err).toContain('rejects every event for the same reason')
    expect(err).toMatch(/0 events stored, 20 rejected, 4,980 not sent/)
  })

  it('is sent in parts whose ids name their events', async () => {
    const service = await roughService({ refuses: 'whole', isBad })
    await runToEnd({ url: service.url, stdin: lines(4, [3]).join('\n') })
    const [whole] = service.ids
    expect(service.ids).toEqual(['', '.0+2', '.2+2', '.2+1', '.3+1'].map((part) => whole + part))
  })
})

describe('a batch that is accepted in part', () => {
  it('is never sent again', async () => {
    const service = await roughService({ refuses: 'each', isBad })
    const events = lines(10, [3])
    const { exitCode, err } = await runToEnd({ url: service.url, stdin: events.join('\n') })
    expect(service.requests).toBe(1)
    expect(service.events.length).toBe(9)
    expect(err).toContain('standard input:4: ')
    expect(exitCode).toBe(3)
  })

  it('is reported as a range when the service does not say which events failed', async () => {
    const service = await roughService({ refuses: 'each, without place', isBad })
    const { err } = await runToEnd({ url: service.url, stdin: lines(10, [3, 4]).join('\n') })
    expect(err).toContain('standard input, events 1 to 10: ')
    expect(err).toMatch(/logs: 8 events stored, 2 rejected/)
  })
})
