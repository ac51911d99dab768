import { Writable } from 'node:stream'
import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { writeText } from '../../src/render/write.js'
import { RUNS } from '../support/runs.js'
import { rendered, tableOf } from './support.js'

const EXACT = tableOf(
  ['id', 'integer', ['9007199254740993', '-9223372036854775808', 'null']],
  ['at', 'datetime', ['"2026-01-01T00:00:00.000000001Z"', 'null', 'null']],
  ['text', 'string', ['"a,\\"b\\"\\n"', '""', 'null']],
  ['tags', 'array', ['[1,{"k":"v"}]', '[]', '{}']],
)

describe('NDJSON output', () => {
  it('has one row per line, with values as received, nulls included', async () => {
    expect(await rendered('ndjson', [EXACT])).toBe(
      '{"id":9007199254740993,"at":"2026-01-01T00:00:00.000000001Z","text":"a,\\"b\\"\\n","tags":[1,{"k":"v"}]}\n' +
        '{"id":-9223372036854775808,"at":null,"text":"","tags":[]}\n' +
        '{"id":null,"at":null,"text":null,"tags":{}}\n',
    )
  })

  it('keeps a value with line ends on one line', async () => {
    const table = tableOf(['tags', 'array', ['[\n  1,\r\n  "a\\nb"\n]']])
    expect(await rendered('ndjson', [table])).toBe('{"tags":[   1,   "a\\nb" ]}\n')
  })

  it('escapes field names', async () => {
    const table = tableOf(['a "b"\\c', 'integer', ['1']])
    expect(await rendered('ndjson', [table])).toBe('{"a \\"b\\"\\\\c":1}\n')
  })

  it('has the rows of all tables', async () => {
    const tables = [tableOf(['a', 'integer', ['1']]), tableOf(['b', 'integer', ['2']])]
    expect(await rendered('ndjson', tables)).toBe('{"a":1}\n{"b":2}\n')
  })

  it('is empty without rows', async () => {
    expect(await rendered('ndjson', [tableOf(['a', 'integer', []])])).toBe('')
    expect(await rendered('ndjson', [])).toBe('')
  })
})

describe('JSON output', () => {
  it('is one array of objects', async () => {
    const tables = [tableOf(['a', 'integer', ['1', 'null']]), tableOf(['b', 'string', ['"x"']])]
    expect(await rendered('json', tables)).toBe('[\n{"a":1},\n{"a":null},\n{"b":"x"}\n]\n')
  })

  it('is an empty array without rows', async () => {
    expect(await rendered('json', [tableOf(['a', 'integer', []])])).toBe('[]\n')
  })
})

describe('CSV output', () => {
  it('quotes the same cells as csv-stringify', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .array(fc.constantFrom('a', ' ', ',', '"', '\n', '\r', '\\'), { maxLength: 5 })
        .map((characters) => characters.join('')),
    )
    const column = fc.array(fc.option(text), { minLength: 3, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(fc.array(column, { minLength: 1, maxLength: 3 }), async (columns) => {
        const cells = columns.map((column) => column.map((value) => JSON.stringify(value)))
        const table = tableOf(...cells.map((column) => ['n', 'string', column] as const))
        const rows = [0, 1, 2].map((row) => columns.map((column) => column[row]))
        const written = stringify(rows, { quoted_match: /^$/ })
        expect(await rendered('csv', [table], { header: false })).toBe(
          Buffer.from(written).toString('utf8'),
        )
      }),
      { numRuns: RUNS },
    )
  })

  it('quotes where necessary, and distinguishes null from an empty string', async () => {
    expect(await rendered('csv', [EXACT])).toBe(
      'id,at,text,tags\n' +
        '9007199254740993,2026-01-01T00:00:00.000000001Z,"a,""b""\n","[1,{""k"":""v""}]"\n' +
        '-9223372036854775808,,"",[]\n' +
        ',,,{}\n',
    )
  })

  it('quotes field names', async () => {
    expect(await rendered('csv', [tableOf(['a,b', 'integer', ['1']])])).toBe('"a,b"\n1\n')
  })

  it('has no header when it is turned off', async () => {
    const table = tableOf(['a', 'integer', ['1']])
    expect(await rendered('csv', [table], { header: false })).toBe('1\n')
  })

  it('repeats the header only for a table with other columns', async () => {
    const a = tableOf(['a', 'integer', ['1']])
    const b = tableOf(['b', 'integer', ['2']])
    expect(await rendered('csv', [a, a, b])).toBe('a\n1\n1\nb\n2\n')
  })

  it('has a header even without rows', async () => {
    expect(await rendered('csv', [tableOf(['a', 'integer', []])])).toBe('a\n')
  })
})

describe('writeText', () => {
  it('waits for a slow reader instead of buffering', async () => {
    let waiting = 0
    let most = 0
    const slow = new Writable({
      highWaterMark: 1,
      write(chunk: Buffer, _encoding, done) {
        waiting = chunk.length
        most = Math.max(most, waiting + slow.writableLength - chunk.length)
        setImmediate(done)
      },
    })
    const piece = 'x'.repeat(1000)
    await writeText(
      slow,
      Array.from({ length: 1000 }, () => piece),
    )
    expect(most).toBeGreaterThanOrEqual(65_536)
    expect(most).toBeLessThan(70_000)
  })

  it('rejects with the error of the output', async () => {
    const full = new Writable({ write: (_chunk, _encoding, done) => done(new Error('full')) })
    full.on('error', () => {})
    await expect(writeText(full, ['x'])).rejects.toThrow('full')
  })
})
