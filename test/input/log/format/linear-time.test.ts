import { describe, expect, it } from 'vitest'
import { LINE_FORMATS } from '../../../../src/input/log/format/formats.js'
import { read } from '../support.js'
import { examplesOf } from './examples.js'

describe('lines of 100 kB', () => {
  const TAILS = ['[', ' ', '1', 'a.', '(', '- ', '" ', ' : ', '{a}:']
  it.each(LINE_FORMATS.map((format) => [format.name, examplesOf(format)] as const))(
    'that begin like %s are read in linear time',
    async (_, examples) => {
      for (const example of examples) {
        const [head] = example.split('\n', 1) as [string]
        const begun = [head, head.slice(0, head.length / 2), head.slice(0, (head.length * 3) / 4)]
        const tails = [...TAILS.map((tail) => tail.repeat(50_000)), `${' '.repeat(50_000)}x`]
        const lines = begun.flatMap((text) => tails.map((tail) => text + tail))
        const { events } = await read(`${example}\n${lines.join('\n')}\n`, { format: 'text' })
        expect(events.length).toBeGreaterThan(0)
      }
    },
  )
})
