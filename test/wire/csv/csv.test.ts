import { stringify } from 'csv-stringify/sync'
import {
  array,
  assert,
  constantFrom,
  double,
  integer,
  oneof,
  property,
  string,
  tuple,
} from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { CsvLines, type CsvOptions } from '../../../src/wire/csv/csv.js'
import { CsvError } from '../../../src/wire/csv/csv-row.js'
import { RUNS } from '../../support/runs.js'

/** Returns the lines and failures of CSV in chunks of `size` bytes. */
function convert(text: string, options: Partial<CsvOptions> & { size?: number } = {}) {
  const { size = 64, ...rest } = options
  const csv = new CsvLines({ delimiter: ',', ...rest })
  const bytes = Buffer.from(text)
  const pieces: Buffer[] = []
  const add = (lines: Iterable<Buffer>): void => {
    for (const piece of lines) pieces.push(Buffer.from(piece))
  }
  for (let at = 0; at < bytes.length; at += size) add(csv.push(bytes.subarray(at, at + size)))
  add(csv.end())
  return { lines: Buffer.concat(pieces).toString().split('\n'), failures: csv.failures }
}

/** Returns the events of CSV without failures. */
function events(text: string, options: Partial<CsvOptions> & { size?: number } = {}): unknown[] {
  const { lines, failures } = convert(text, options)
  expect(failures).toEqual([])
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line))
}

function header(count: number): string {
  return Array.from({ length: count }, (_, i) => `f${i}`).join(',')
}

describe('CsvLines', () => {
  it('names the cells of each row after the header', () => {
    expect(events('a,b\nx,y\nz,w\n')).toEqual([
      { a: 'x', b: 'y' },
      { a: 'z', b: 'w' },
    ])
  })

  it('accepts field names, and then reads the first line as an event', () => {
    expect(events('x,y\n', { fields: ['a', 'b'] })).toEqual([{ a: 'x', b: 'y' }])
  })

  it('skips a byte order mark, line ends of either kind and empty lines', () => {
    expect(events('\ufeffa,b\r\nx,y\r\n\r\n"z","w"\r\n', { size: 1 })).toEqual([
      { a: 'x', b: 'y' },
      { a: 'z', b: 'w' },
    ])
  })

  it('needs no line feed after the last row', () => {
    expect(events('a\nx')).toEqual([{ a: 'x' }])
    expect(events('a\n"x"')).toEqual([{ a: 'x' }])
  })

  it('keeps delimiters, quotes and line ends inside quotes', () => {
    expect(events('a,b\n"x,""y""\r\nz",1\n')).toEqual([{ a: 'x,"y"\r\nz', b: 1 }])
  })

  it('keeps spaces, even in front of a quote', () => {
    expect(events('a,b\n x , "y"\n')).toEqual([{ a: ' x ', b: ' "y"' }])
  })

  it('reads an empty cell as a missing field, and quotes without content as an empty string', () => {
    expect(events('a,b,c\n,"",x\n')).toEqual([{ b: '', c: 'x' }])
  })

  it('accepts a row without its last fields', () => {
    expect(events('a,b,c\nx\n')).toEqual([{ a: 'x' }])
  })

  it('splits at another delimiter, even one of several bytes', () => {
    expect(events('a;b\nx,1;2\n', { delimiter: ';' })).toEqual([{ a: 'x,1', b: 2 }])
    expect(events('a¦b\nx¦"y¦"\n', { delimiter: '¦', size: 1 })).toEqual([{ a: 'x', b: 'y¦' }])
  })

  it.each([
    '0',
    '7',
    '-7',
    '9223372036854775807',
    '-9223372036854775808',
    '0.5',
    '391.10',
    '100.00',
    '0.00',
    '-7.50',
    '0.12345678901234500',
    '-0.25',
    '1e-7',
    '1.50e3',
    'true',
    'false',
  ])('reads %s as a number or boolean, as written', (cell) => {
    expect(convert(`a\n${cell}\n`).lines).toContain(`{"a":${cell}}`)
  })

  it.each([
    '007',
    '+7',
    '-0',
    '-0.0',
    '007.50',
    '9007199254740993.00',
    '0.123456789012345678900',
    '.5',
    '5.',
    '1e5',
    '0x10',
    '1_000',
    ' 7',
    '9223372036854775808',
    '-9223372036854775809',
    '100000000000000000000',
    '1e999',
    'NaN',
    'Infinity',
    'True',
    'null',
    '1,5',
  ])('reads %s as a string', (cell) => {
    expect(events(`a\n"${cell}"\n`)).toEqual([{ a: cell }])
  })

  it('writes each event on the line where its row begins', () => {
    const { lines } = convert('a,b\n"1\n2",x\n\ny,z\n')
    expect(lines).toEqual(['', '{"a":"1\\n2","b":"x"}', '', '', '{"a":"y","b":"z"}', ''])
  })

  it('rejects a row with too many cells and reports its line', () => {
    const { lines, failures } = convert('a,b\n"x\n",1\n1,2,3\ny,2\n')
    expect(failures).toEqual([{ index: 1, line: 4, reason: 'it has 3 cells, the header has 2' }])
    expect(lines.filter((line) => line !== '')).toEqual(['{"a":"x\\n","b":1}', '{"a":"y","b":2}'])
  })

  it('rejects a row with text after a closing quote, and only that row', () => {
    const { lines, failures } = convert('a,b\n"x"y,1\nz,2\n')
    expect(failures).toEqual([
      { index: 0, line: 2, reason: 'cell 1 has text after its closing quote' },
    ])
    expect(lines.filter((line) => line !== '')).toEqual(['{"a":"z","b":2}'])
  })

  it('rejects a quote that is never closed', () => {
    const { failures } = convert('a,b\nx,1\ny,"open\nz,2\n')
    expect(failures).toEqual([{ index: 1, line: 3, reason: 'a quote is never closed: `"open`' }])
  })

  it('rejects a header that names a field twice', () => {
    expect(() => convert('ä,b,ä\n1,2,3\n')).toThrow(CsvError)
    expect(() => convert('ä,b,ä\n1,2,3\n')).toThrow('The CSV header names the field `ä` twice.')
  })

  it('rejects a file whose lines end with carriage returns alone', () => {
    expect(() => convert('a,b\r1,2\r3,4\r')).toThrow(
      'The CSV header contains a carriage return without a line feed. A line feed must end each line.',
    )
    expect(convert('"a\r\nb",c\r\n1,2\r\n').failures).toEqual([])
  })

  it('rejects a header of more than 100,000 fields', () => {
    expect(() => convert(`${header(100_001)}\n1\n`)).toThrow(
      'The CSV header has more than 100,000 fields.',
    )
    const { lines } = convert(`${header(100_000)}\n1\n`)
    expect(lines[1]).toBe('{"f0":1}')
  })

  it.each(['1', '""'])('rejects a row of more than 100,000 cells that begins with %s', (cell) => {
    const { failures, lines } = convert(`a\n${cell},${'1,'.repeat(100_000)}\n2\n`)
    expect(failures).toEqual([
      { index: 0, line: 2, reason: 'it has more than 100,000 cells, the header has 1' },
    ])
    expect(lines).toContain('{"a":2}')
  })

  it('searches a long row with quotes once', () => {
    const search = vi.spyOn(String.prototype, 'indexOf')
    try {
      const { lines } = convert(`${header(5_000)}\n"x",${'1,'.repeat(4_998)}1\n`)
      const lineEnds = search.mock.calls.filter(([wanted]) => wanted === '\n')
      expect(lineEnds.length).toBeLessThan(100)
      expect(lines[1]).toMatch(/^\{"f0":"x","f1":1,/)
    } finally {
      search.mockRestore()
    }
  })

  it('rejects a row of more than 16 MiB', () => {
    const csv = new CsvLines({ delimiter: ',' })
    const piece = Buffer.alloc(1024 * 1024, 'x')
    expect(Buffer.concat([...csv.push(Buffer.from('a,b\n"'))]).toString()).toBe('\n')
    for (let i = 0; i < 16; i++) expect([...csv.push(piece)]).toEqual([])
    expect(() => [...csv.push(piece), ...csv.push(piece)]).toThrow(
      'A CSV row has more than 16 MiB.',
    )
  })

  it('yields the lines between invalid rows as one piece', () => {
    const csv = new CsvLines({ delimiter: ',' })
    const pieces = [...csv.push(Buffer.from(`a,b\n${'1,2\n1,2,3\n'.repeat(1000)}`))]
    expect(pieces.map(String)).toEqual([`\n${'{"a":1,"b":2}\n\n'.repeat(1000)}`])
    expect(csv.failures).toHaveLength(1000)
  })

  it('reads what another program writes, whatever the chunks', () => {
    const cell = string({
      unit: constantFrom('a', 'ü', '😀', '"', ',', '\n', '\r', ' ', '\\', '1'),
    })
    const sizes = constantFrom(1, 2, 3, 7, 64)
    assert(
      property(array(array(cell, { minLength: 2, maxLength: 2 })), sizes, (rows, size) => {
        // A leading letter makes every cell a non-empty string.
        const texts = rows.map((row) => row.map((text) => `x${text}`))
        const written = stringify([['first', 'second'], ...texts], { quoted: false })
        expect(events(written, { size })).toEqual(
          texts.map(([first, second]) => ({ first, second })),
        )
      }),
    )
  })

  it('reads rows that are longer than what is converted at once', () => {
    const cells = [
      'x'.repeat(300_000),
      '\u0001'.repeat(400_000),
      'a,"\n'.repeat(100_000),
      '1'.repeat(24),
    ]
    const texts = Array.from({ length: 40 }, (_, i) => cells[i % 5] ?? `short ${i}`)
    const csv = stringify([['a', 'b'], ...texts.map((text) => ['k', text])])
    for (const size of [100_000, 1_000_000, csv.length])
      expect(events(csv, { size })).toEqual(texts.map((b) => ({ a: 'k', b })))
  })

  it('reads all kinds of rows alike, whatever the delimiter', () => {
    // With a delimiter of two bytes no row is converted from bytes to bytes.
    const sign = constantFrom(...'ab"",,,\n\r\\\t\u0001é 0123456789.-+eEtrufals\0\x7f')
    const word = constantFrom(
      'true',
      'false',
      '007',
      '1.5',
      '-0',
      '0.10',
      '9223372036854775808',
      '""',
    )
    const text = array(oneof({ weight: 5, arbitrary: sign }, word)).map((parts) => parts.join(''))
    assert(
      property(text, constantFrom(1, 3, 64), (rows, size) => {
        const fields = ['a', 'ü', 'c"']
        const wide = convert(rows.replaceAll(',', '¦'), { fields, delimiter: '¦' })
        const narrow = convert(rows, { fields, size })
        // Inside quotes the delimiter is text.
        expect(narrow.lines).toEqual(wide.lines.map((line) => line.replaceAll('¦', ',')))
        expect(narrow.failures.map(({ index, line }) => [index, line])).toEqual(
          wide.failures.map(({ index, line }) => [index, line]),
        )
      }),
      { numRuns: 20 * RUNS },
    )
  })

  it('reads a number only if it prints equal', () => {
    const numbers = [
      ...['0', '-1', '1.5', '1.50', '-0.5', '1234567890123.40', '123456789012345.6'],
      ...['9223372036854775807', '1e+21', '0.0', '0.0000001', '6.3e-05', '1.50E+300', '2e-300'],
      ...['1.5e3', '1.0E10', '-1.7976931348623157e308'],
    ]
    const texts = [
      ...[
        '-0',
        '007',
        '.5',
        '5.',
        '-.5',
        '-',
        '1e3',
        '0x10',
        '1.2.3',
        '-0.0',
        '1.5e',
        '1.5ex',
        '1e-',
        'e-5',
      ],
      ...[
        '9223372036854775808',
        '0.12345678901234567890',
        '1234567890123456.7',
        '1e+400',
        '1e-400',
      ],
      ...['1e+0000000000000000001x', '12e45678', '1.e-5'],
    ]
    const values = [...numbers, ...texts].map(
      (text) => `{"a":${numbers.includes(text) ? text : `"${text}"`}}`,
    )
    const { lines } = convert([...numbers, ...texts].join('\n'), { fields: ['a'] })
    expect(lines).toEqual(values)
  })

  it('reads decimals of 15 digits, and of up to 18 if no other one has the same double', () => {
    const value = double({ min: -1e15, max: 1e15, noNaN: true, noDefaultInfinity: true })
    const small = double({ min: 0, max: 1 })
    const digits = (min: number, max: number) => integer({ min, max })
    const text = oneof(
      tuple(value, digits(14, 18)).map(([one, count]) => one.toPrecision(count)),
      tuple(value, digits(0, 22)).map(([one, count]) => one.toFixed(count)),
      tuple(small, digits(15, 20)).map(([one, count]) => one.toFixed(count)),
      tuple(value, digits(12, 17)).map(([one, count]) => one.toExponential(count)),
    ).filter((one) => /[.e]/.test(one) && one.length <= 24 && Number(one) !== 0)
    assert(
      property(array(text, { minLength: 1, maxLength: 200 }), (texts) => {
        // The shortest decimal of a double has as many digits as needed, so that others print differently.
        const isShortest = (one: string) => same(one, Number(one).toExponential())
        const { lines } = convert(texts.join('\n'), { fields: ['a'] })
        expect(lines).toEqual(texts.map((one) => `{"a":${isShortest(one) ? one : `"${one}"`}}`))
      }),
      { numRuns: 20 * RUNS },
    )
  })
})

/** True when two decimals are equal. */
function same(one: string, other: string): boolean {
  const [a, b] = [parts(one), parts(other)]
  const power = a.power < b.power ? a.power : b.power
  return a.digits * 10n ** (a.power - power) === b.digits * 10n ** (b.power - power)
}

function parts(text: string): { readonly digits: bigint; readonly power: bigint } {
  const [mantissa = '', exponent = '0'] = text.split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  return { digits: BigInt(whole + fraction), power: BigInt(exponent) - BigInt(fraction.length) }
}
