import { describe, expect, it } from 'vitest'
import { BLOCKS } from '../../../../src/input/log/format/blocks.js'
import { LINE_FORMATS } from '../../../../src/input/log/format/formats.js'
import { detectTextLayout } from '../../../../src/input/log/text-layout.js'
import { NOW, read } from '../support.js'

describe('a known format', () => {
  it.each(
    LINE_FORMATS.flatMap(({ name, examples }) =>
      examples.map((example) => [name, example] as const),
    ),
  )('%s is detected from its example alone: %s', (name, example) => {
    expect(detectTextLayout(`${example}\n`, { now: NOW }).format?.name).toBe(name)
  })
})

describe('lines that begin with a time', () => {
  it.each([
    ['2026-02-03T04:05:06Z ERROR foo', { level: 'error', message: 'foo' }],
    [
      '[2026-02-03 04:05:06] [warning] a: b',
      { level: 'warn', severity_text: 'warning', message: 'a: b' },
    ],
    ['2026-02-03 04:05:06 - info - x', { level: 'info', message: 'x' }],
    ['2026-02-03 04:05:06 information is missing', { message: 'information is missing' }],
    ['2026-02-03 04:05:06 error.log was opened', { message: 'error.log was opened' }],
  ])('%s', async (line, expected) => {
    const { events } = await read(`${line}\n`, { format: 'text' })
    expect(JSON.parse(events[0]!)).toEqual({ _time: '2026-02-03T04:05:06Z', ...expected })
  })
})

describe('blocks that were asked for', () => {
  const options = { format: 'text', lineFormat: BLOCKS } as const

  it('need no times', async () => {
    const text = 'Name: Ann\nPhone: 1\nCity: Bern\n\nName: Bob\nPhone: 2\nCity: Basel\n'
    const { events } = await read(text, options)
    expect(events.map((event) => JSON.parse(event))).toEqual([
      { Name: 'Ann', Phone: 1, City: 'Bern' },
      { Name: 'Bob', Phone: 2, City: 'Basel' },
    ])
  })

  it('may be a single one', async () => {
    const { events } = await read('Name: Ann\nTime: 2026-02-03T04:05:06Z\n', options)
    expect(events.map((event) => JSON.parse(event))).toEqual([
      { _time: '2026-02-03T04:05:06Z', Name: 'Ann' },
    ])
  })

  it('are rejected when no line begins one', async () => {
    await expect(read('root:x:0\ndaemon:x:1\n', options)).rejects.toThrow('has no blocks')
    expect((await read('', options)).events).toEqual([])
  })
})
