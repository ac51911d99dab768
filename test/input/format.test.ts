import { describe, expect, it } from 'vitest'
import { type FoundFormat, findFormat } from '../../src/input/format.js'
import { cut } from './support.js'

describe('the format of an input', () => {
  it.each<[string, FoundFormat]>([
    ['{"a":1}\n', 'ndjson'],
    ['  \n {"a":1}', 'ndjson'],
    ['{}', 'ndjson'],
    ['[{"a":1}]', 'json array'],
    ['\n\t[\n', 'json array'],
    ['{\n  "a": 1\n}\n', 'json sequence'],
    ['{ \r\n', 'json sequence'],
    ['a,b\n1,2\n', 'csv'],
    ['"a","b"\n', 'csv'],
    ['broken\n{"a":1}\n', 'ndjson'],
  ])('that begins with %j is %s', (text, format) => {
    expect(found(text)).toBe(format)
  })

  it('is told by the name where the beginning does not tell', () => {
    expect(found('n\n1\n', 'one-column.csv')).toBe('csv')
    expect(found('n\n1\n', 'one-column.CSV.gz')).toBe('csv')
    expect(found('broken\n', 'app.jsonl')).toBe('ndjson')
  })

  it('waits for what tells it', () => {
    for (const text of ['', ' ', '{', '{ ', 'na', '\n\n'])
      expect(found(text, 'x', { isWhole: false })).toBe(undefined)
  })

  it('that can not be told is asked for', () => {
    expect(() => found('hello world\n')).toThrow(/`-i ndjson`, `-i json` or `-i csv` says so/)
    expect(() => findFormat('json', beginning('a,b\n'))).toThrow(/begins with neither/)
  })

  it('that is asked for is believed', () => {
    expect(findFormat('csv', beginning('{"a":1}\n'))).toBe('csv')
    expect(findFormat('ndjson', beginning('[1]\n[2]\n'))).toBe('ndjson')
    expect(findFormat('json', beginning('{"a":1}\n{"a":2}'))).toBe('json sequence')
  })
})

describe('a CSV header', () => {
  it('that never ends is no reason to read the whole input', async () => {
    const endless = `"a,b\n${'1,2\n'.repeat(600_000)}`
    await expect(cut(endless, { format: 'csv' })).rejects.toThrow(/has no end within 1 MiB/)
  })
})

function found(text: string, name = 'input', { isWhole } = { isWhole: true }) {
  return findFormat('auto', beginning(text, name, isWhole))
}

function beginning(text: string, name = 'input', isWhole = true) {
  return { name, head: Buffer.from(text), isWhole }
}
