import { describe, expect, it } from 'vitest'
import { runToEnd } from '../../../support/ingest-run.js'
import { roughService } from '../../../support/rough-service.js'

const isBad = (event: string) => event.includes('bad')

describe('--max-errors', () => {
  it('ends the run with exit code 5 when more events are rejected', async () => {
    const service = await roughService({ isBad })
    const stdin = 'bad\n{"n":1}\n'.repeat(50)
    const args = {
      'max-errors': '3',
      'batch-size': '2',
      concurrency: '1',
      'input-format': 'ndjson',
    }
    const { exitCode, err } = await runToEnd({ url: service.url, stdin, args })
    expect(exitCode).toBe(5)
    expect(err).toContain('Stopped early: 4 events rejected, more than `--max-errors 3` allows.\n')
    expect(service.events.length).toBeLessThan(10)
  })

  it('allows exactly as many rejected events', async () => {
    const service = await roughService({ isBad })
    const stdin = '{"n":1}\nbad\nbad\n'
    const args = { 'max-errors': '2' }
    expect((await runToEnd({ url: service.url, stdin, args })).exitCode).toBe(3)
    expect(
      (await runToEnd({ url: service.url, stdin, args: { 'max-errors': '1' } })).exitCode,
    ).toBe(5)
  })

  it('checks a percentage from 100 events on and at the end', async () => {
    const service = await roughService({ isBad })
    const args = {
      'max-errors': '1%',
      'batch-size': '10',
      concurrency: '1',
      'input-format': 'ndjson',
    }
    const few = `bad\n${'{"n":1}\n'.repeat(199)}`
    expect((await runToEnd({ url: service.url, stdin: few, args })).exitCode).toBe(3)
    const short = `bad\n${'{"n":1}\n'.repeat(50)}`
    expect((await runToEnd({ url: service.url, stdin: short, args })).exitCode).toBe(5)
  })

  it('rejects values that are neither a count nor a percentage', async () => {
    for (const text of ['-1', 'x', '1.5', '101%', '']) {
      const args = { [`max-errors=${text}`]: '' }
      const { exitCode, err } = await runToEnd({ url: 'http://x', stdin: '{}\n', args })
      expect(exitCode).toBe(2)
      expect(err).toContain('`--max-errors` takes')
    }
  })
})

describe('a request', () => {
  it('encodes labels as ASCII', async () => {
    const service = await roughService()
    const args = { label: 'host=wéb 1', 'label=team': 'x=y' }
    await runToEnd({ url: service.url, stdin: '{"n":1}\n', args: { label: args.label } })
    const header = String(service.headers[0]?.['x-service-event-labels'])
    expect(header).toBe('{"host":"w\\u00e9b 1"}')
  })

  it('names the field and the format of the event time', async () => {
    const service = await roughService()
    const args = { 'timestamp-field': 'at', 'timestamp-format': '2006-01-02 15:04' }
    await runToEnd({ url: service.url, stdin: '{"at":1}\n', args })
    const url = new URL(service.urls[0] ?? '', 'http://x')
    expect(Object.fromEntries(url.searchParams)).toEqual(args)
  })
})

describe('--compress', () => {
  const stdin = `{"n":"${'x'.repeat(100)}"}\n`.repeat(1000)

  it('compresses requests', async () => {
    const service = await roughService({ encodings: ['identity', 'gzip'] })
    const { exitCode } = await runToEnd({ url: service.url, stdin, args: { compress: 'gzip' } })
    expect(service.headers[0]?.['content-encoding']).toBe('gzip')
    expect(Number(service.headers[0]?.['content-length'])).toBeLessThan(stdin.length / 10)
    expect(service.events.join('\n')).toBe(stdin.trim())
    expect(exitCode).toBe(0)
  })

  it('is turned off when the service does not support it', async () => {
    const service = await roughService()
    const args = { compress: 'gzip', 'batch-size': '300', concurrency: '1' }
    const { exitCode } = await runToEnd({ url: service.url, stdin, args })
    expect(service.refused).toBe(1)
    expect(service.events.join('\n')).toBe(stdin.trim())
    expect(exitCode).toBe(0)
  })

  it('has no effect on loopback and for small requests', async () => {
    const service = await roughService()
    await runToEnd({ url: service.url, stdin })
    await runToEnd({ url: service.url, stdin: '{"n":1}\n', args: { compress: 'gzip' } })
    expect(service.headers.map((headers) => headers['content-encoding'])).toEqual([
      undefined,
      undefined,
    ])
  })
})

describe('--concurrency', () => {
  it('may exceed the number of listeners at which Node warns', async () => {
    const service = await roughService({ mishap: () => 'slow', slowMs: 100 })
    const warnings: string[] = []
    const heard = ({ name }: Error) => void warnings.push(name)
    process.on('warning', heard)
    const args = { concurrency: '20', 'batch-size': '1' }
    await runToEnd({ url: service.url, stdin: '{"n":1}\n'.repeat(30), args })
    process.off('warning', heard)
    expect(service.events).toHaveLength(30)
    expect(warnings).toEqual([])
  })
})
