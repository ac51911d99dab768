import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { headingBytes, rowBytes } from '../../../src/render/transpose/rows.js'
import { cellOf, scanResponse } from '../../../src/render/transpose/scan-response.js'
import { ChunkedBuffer } from '../../../src/wire/bytes/chunked-buffer.js'
import { MalformedResponseError } from '../../../src/wire/http/response-json.js'
import { decodeTabularResult } from '../../../src/wire/http/tabular-result.js'
import { tabular } from '../../support/canned-service.js'
import { RUNS } from '../../support/runs.js'
import { byValues, FORMATS, LINES, type LineFormat } from './formats.js'

const ROUNDS = 10 * RUNS
const TIMEOUT_MS = 300_000 + ROUNDS * 20

/** Returns the transposed rows; undefined when the response is left to the decoder. */
async function transposed(
  format: LineFormat,
  response: string,
  columns?: readonly number[],
): Promise<string | undefined> {
  const scanned = scanResponse(inPieces(response))
  if (scanned === undefined) return undefined
  const pieces: Uint8Array[] = []
  for (const table of scanned.result.tables.keys()) {
    const selection = { table, ...(columns && { columns }) }
    if (table === 0) pieces.push(await headingBytes(LINES[format], scanned, selection))
    pieces.push(...rowBytes(LINES[format], scanned, selection))
  }
  return Buffer.concat(pieces).toString('utf8')
}

/** Splits a response like a socket. */
function inPieces(response: string): ChunkedBuffer {
  const bytes = Buffer.from(response)
  const third = Math.floor(bytes.length / 3)
  return new ChunkedBuffer([bytes.subarray(0, third), bytes.subarray(third)])
}

/** Returns the same rows by decoding the values. */
async function decoded(format: LineFormat, response: string): Promise<string> {
  return byValues(format, decodeTabularResult(response).tables)
}

const ODDITIES = tabular([
  {
    name: 'n, "x"',
    type: 'integer',
    values: '[ 9007199254740993 ,-0,1E+5,\n1.50,null,true,false,12]',
  },
  {
    name: 's',
    type: 'string',
    values:
      '["a,b","","\\"","\\u00e9\\ud83d\\ude00\\ud800","x\\\\","\\n","plain 漢字 👩‍👩‍👧 \u2028",null]',
  },
  {
    name: 'nested',
    type: 'array',
    values: '[[],{},[1],[1,\n2],{"a":"]}\\"\\\\"},["x"],[ [ ] ],{"k": null}]',
  },
])

describe('a response transposed without decoding its values', () => {
  it('has every value as received', async () => {
    expect(await transposed('ndjson', ODDITIES)).toBe(
      [
        '{"n, \\"x\\"":9007199254740993,"s":"a,b","nested":[]}',
        '{"n, \\"x\\"":-0,"s":"","nested":{}}',
        '{"n, \\"x\\"":1E+5,"s":"\\"","nested":[1]}',
        '{"n, \\"x\\"":1.50,"s":"\\u00e9\\ud83d\\ude00\\ud800","nested":[1, 2]}',
        '{"n, \\"x\\"":null,"s":"x\\\\","nested":{"a":"]}\\"\\\\"}}',
        '{"n, \\"x\\"":true,"s":"\\n","nested":["x"]}',
        '{"n, \\"x\\"":false,"s":"plain 漢字 👩‍👩‍👧 \u2028","nested":[ [ ] ]}',
        '{"n, \\"x\\"":12,"s":null,"nested":{"k": null}}',
        '',
      ].join('\n'),
    )
    expect(await transposed('csv', ODDITIES)).toBe(
      [
        '"n, ""x""",s,nested',
        '9007199254740993,"a,b",[]',
        '-0,"",{}',
        '1E+5,"""",[1]',
        '1.50,é😀\ufffd,"[1, 2]"',
        ',x\\,"{""a"":""]}\\""\\\\""}"',
        'true,"\n","[""x""]"',
        'false,plain 漢字 👩‍👩‍👧 \u2028,[ [ ] ]',
        '12,,"{""k"": null}"',
        '',
      ].join('\n'),
    )
    expect(await transposed('tsv', ODDITIES)).toBe(
      [
        'n, "x"\ts\tnested',
        '9007199254740993\ta,b\t[]',
        '-0\t\t{}',
        '1E+5\t"\t[1]',
        '1.50\té😀\ufffd\t[1, 2]',
        '\\N\tx\\\\\t{"a":"]}\\\\"\\\\\\\\"}',
        'true\t\\n\t["x"]',
        'false\tplain 漢字 👩‍👩‍👧 \u2028\t[ [ ] ]',
        '12\t\\N\t{"k": null}',
        '',
      ].join('\n'),
    )
  })

  it('has long nested values with invalid UTF-8, which become longer', async () => {
    const value = Buffer.concat([
      Buffer.from('["'),
      Buffer.alloc(900_000, Buffer.from([0x61, 0xff])),
      Buffer.from('",\n1]'),
    ])
    const [before = '', after = ''] = tabular([
      { name: 'v', type: 'array', values: '["HERE"]' },
    ]).split('"HERE"')
    const body = [Buffer.from(before), value, Buffer.from(after)]
    const scanned = scanResponse(new ChunkedBuffer(body))!
    const rows = Buffer.concat([...rowBytes(LINES.ndjson, scanned, { table: 0 })]).toString()
    expect(rows).toBe(`{"v":["${'a\ufffd'.repeat(450_000)}", 1]}\n`)
  })

  it('has long nested values with invalid UTF-8 and escapes, which become more than twice as long', () => {
    const count = 330_000
    const value = Buffer.concat([
      Buffer.from('["'),
      Buffer.alloc(3 * count, Buffer.from([0xff, 0x5c, 0x5c])),
      Buffer.from('"]'),
    ])
    const [before = '', after = ''] = tabular([
      { name: 'v', type: 'array', values: '["HERE"]' },
    ]).split('"HERE"')
    const body = [Buffer.from(before), value, Buffer.from(after)]
    const scanned = scanResponse(new ChunkedBuffer(body))!
    const rows = Buffer.concat([...rowBytes(LINES.tsv, scanned, { table: 0 })]).toString()
    expect(rows === `["${'\ufffd\\\\\\\\'.repeat(count)}"]\n`).toBe(true)
  })

  it.each(FORMATS)('has the selected columns, in %s', async (format) => {
    const { tables } = decodeTabularResult(ODDITIES)
    const table = tables[0]!
    const places = ['nested', 'n, "x"'].map((name) =>
      table.fields.findIndex((field) => field.name === name),
    )
    const wanted = {
      ...table,
      fields: places.map((place) => table.fields[place]!),
      columns: places.map((place) => table.columns[place]!),
    }
    expect(await transposed(format, ODDITIES, [2, 0])).toBe(await byValues(format, [wanted]))
  })

  it('has the selected rows', () => {
    const scanned = scanResponse(ChunkedBuffer.of(ODDITIES))!
    const pieces = rowBytes(LINES.csv, scanned, { table: 0, from: 2, to: 4, columns: [0] })
    expect(Buffer.concat([...pieces]).toString()).toBe('1E+5\n1.50\n')
    expect([...rowBytes(LINES.csv, scanned, { table: 0, from: 8 })]).toEqual([])
    expect(cellOf(scanned, { table: 0, column: 1, row: 6 }).toString()).toBe(
      '"plain 漢字 👩‍👩‍👧 \u2028"',
    )
  })

  it('omits the totals that hosted deployments append', async () => {
    const table = (name: string, value: number) =>
      `{"name":"${name}","fields":[{"name":"n","type":"integer"}],"columns":[[${value}]]}`
    const response = `{"tables":[${table('0', 1)},${table('_totals', 2)}]}`
    expect(await transposed('ndjson', response)).toBe('{"n":1}\n')
  })

  it('keeps the metadata around the values', () => {
    const scanned = scanResponse(ChunkedBuffer.of(ODDITIES))!
    const { tables, ...around } = decodeTabularResult(ODDITIES)
    const { tables: emptied, ...kept } = scanned.result
    expect(kept).toEqual(around)
    expect(emptied).toEqual(tables.map((table) => ({ ...table, columns: [[], [], []] })))
  })

  it('is written in pieces of whole lines, however long they are', async () => {
    const long = JSON.stringify('x'.repeat(700_000))
    const response = tabular([
      {
        name: 's',
        type: 'string',
        values: `[${[long, '"y"', long, '[]', long, long, long].join(',')}]`,
      },
    ])
    const scanned = scanResponse(ChunkedBuffer.of(response))!
    const pieces = [...rowBytes(LINES.csv, scanned, { table: 0 })]
    expect(pieces.length).toBeGreaterThan(1)
    for (const piece of pieces) expect(piece.at(-1)).toBe(10)
    expect(await transposed('csv', response)).toBe(await decoded('csv', response))
  })

  it('may be replaced by another before all its rows are written', () => {
    const [first, second] = ['a', 'b'].map((sign) => {
      const long = JSON.stringify(sign.repeat(700_000))
      const values = `[${Array.from({ length: 4 }, (_, row) => `${row},${long}`).join(',')}]`
      return scanResponse(ChunkedBuffer.of(tabular([{ name: sign, type: 'string', values }])))!
    })
    const turns = [first!, second!].map((response) => {
      const pieces = rowBytes(LINES.tsv, response, { table: 0 })[Symbol.iterator]()
      return { text: '', next: () => pieces.next() }
    })
    for (let turn = 0; turn < 20; turn++) {
      for (const of of turns) of.text += Buffer.from(of.next().value ?? []).toString()
    }
    expect(turns.map(({ text }) => text)).toEqual(
      ['a', 'b'].map((sign) =>
        Array.from({ length: 4 }, (_, row) => `${row}\n${sign.repeat(700_000)}\n`).join(''),
      ),
    )
    const cell = { table: 0, column: 0, row: 2 }
    expect(cellOf(first!, cell).toString()).toBe('1')
    expect(cellOf(second!, { ...cell, row: 6 }).toString()).toBe('3')
  })

  it('has all values, whatever its length', async () => {
    for (let more = 0; more < 16; more++) {
      const values = `[${Array.from({ length: 600 }, (_, row) => row % 10).join(',')}]`
      const response = tabular([{ name: 'x'.repeat(more), type: 'integer', values }])
      for (const format of FORMATS) {
        expect(await transposed(format, response)).toBe(await decoded(format, response))
      }
    }
  })

  it.each([
    ['no tables', '{"status":{},"tables":null}'],
    [
      'no columns',
      '{"tables":[{"fields":[{"name":"a"}],"columns":null},{"fields":[{"name":"a"}]}]}',
    ],
    ['no rows', '{"tables":[{"fields":[{"name":"a"},{"name":"b"}],"columns":[ [ ] ,[]]}]} \n'],
    ['other columns', '{"columns":3,"tables":[{"fields":[{"name":"a"}],"columns":[[1]]}]}'],
    ['columns before their names', '{"tables":[{"columns":[[1,2]],"fields":[{"name":"a"}]}]}'],
    [
      'several tables',
      '{"tables":[{"columns":[[1]],"fields":[{"name":"a"}]},{"columns":[[2]],"fields":[{"name":"a"}]}]}',
    ],
  ])('may have %s', async (_, response) => {
    for (const format of FORMATS) {
      expect(await transposed(format, response)).toBe(await decoded(format, response))
    }
  })

  it.each([
    [
      'columns of different lengths',
      '{"tables":[{"fields":[{"name":"a"},{"name":"b"}],"columns":[[1],[]]}]}',
    ],
    ['columns twice', '{"tables":[{"fields":[{"name":"a"}],"columns":[[1]],"columns":[[2]]}]}'],
    ['columns elsewhere', '{"columns":[[3]],"tables":[{"fields":[{"name":"a"}],"columns":[[1]]}]}'],
    ['numbers elsewhere that are not JSON', '{"tables":[{"x":{"columns":[[1n]]}}]}'],
    ['more columns than names', '{"tables":[{"fields":[{"name":"a"}],"columns":[[1],[2]]}]}'],
    ['an end that is missing', '{"tables":[{"fields":[{"name":"a"}],"columns":[["x"'],
    ['an end inside an escape', '{"tables":[{"fields":[{"name":"a"}],"columns":[["\\'],
    ['more than one value', '{"tables":[]} {}'],
    ['a key in escapes', '{"tables":[{"fields":[{"name":"a"}],"c\\u006flumns":[[1]]}]}'],
    ['a word that is none', '{"tables":[{"fields":[{"name":"a"}],"columns":[[nothing]]}]}'],
    ['a line end inside a string', '{"tables":[{"fields":[{"name":"a"}],"columns":[["a\nb"]]}]}'],
    ['another form', '[]'],
    ['nothing', ''],
    ['a stray bracket', '{"tables":}'],
  ])('is left to the decoder with %s', (_, response) => {
    expect(scanResponse(ChunkedBuffer.of(response))).toBeUndefined()
  })
})

describe('an escape that JSON does not allow', () => {
  const response = tabular([{ name: 's', type: 'string', values: '["\\\\x"]' }]).replace(
    '\\\\x',
    '\\x',
  )

  it.each(['csv', 'tsv'] as const)('is reported as a malformed response, in %s', async (format) => {
    await expect(transposed(format, response)).rejects.toThrow(MalformedResponseError)
    await expect(decoded(format, response)).rejects.toThrow(MalformedResponseError)
  })
})

/** Arbitrary strings, in which special characters are frequent. */
const text = fc.string({
  // Sixteen bytes are examined at once.
  maxLength: 40,
  size: 'max',
  unit: fc.oneof(
    fc.constantFrom(',', '"', '\\', '\n', '\r', '\t', '', 'n', '[', '}'),
    fc.string({ unit: 'binary', maxLength: 1 }),
  ),
})
const value = fc.oneof(
  text.map((given) => JSON.stringify(given)),
  // Each character as an escape, which leaves half of the surrogate pairs unpaired.
  text.map((given) => `"${[...given].flatMap(escapes).join('')}"`),
  fc.constantFrom(
    'null',
    'true',
    'false',
    '0',
    '-1.50e+10',
    '9223372036854775807',
    '[]',
    '{}',
    '""',
  ),
  fc.json({ stringUnit: 'binary' }),
  fc
    .tuple(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom(' ', '\t'))
    .map(([given, indent]) => JSON.stringify(given, null, indent)),
  fc.constantFrom('[\t1]', '{\t}', '[\r]'),
)
const space = fc.constantFrom('', '', '', ' ', '\n', ' \r\n\t')

function escapes(sign: string): readonly string[] {
  return [...Array(sign.length).keys()].map(
    (unit) => `\\u${sign.charCodeAt(unit).toString(16).padStart(4, '0')}`,
  )
}

const responses = fc
  .tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 6 }), space, space)
  .chain(([columns, rows, before, behind]) =>
    fc
      .tuple(
        fc.array(text, { minLength: columns, maxLength: columns }),
        fc.array(fc.array(value, { minLength: rows, maxLength: rows }), {
          minLength: columns,
          maxLength: columns,
        }),
        fc.boolean(),
      )
      .map(([names, cells, isFirst]) => {
        const list = (values: readonly string[]) =>
          `${before}[${before}${values.join(`${behind},${before}`)}${behind}]${behind}`
        const fields = `${before}"fields"${behind}:${list(names.map((name) => JSON.stringify({ name })))}`
        const all = `"columns"${before}:${list(cells.map(list))}`
        const table = isFirst ? `${all},${fields}` : `"x":{"columns":1},${fields},${all}`
        return `${before}{"format":"tabular","tables":[{${table}}],"status":{"rowsMatched":7}}${behind}`
      }),
  )

describe('any response', () => {
  it(
    'is rendered to the same lines with and without decoding',
    async () => {
      await fc.assert(
        fc.asyncProperty(responses, fc.constantFrom(...FORMATS), async (response, format) => {
          expect(await transposed(format, response)).toBe(await decoded(format, response))
        }),
        { numRuns: ROUNDS },
      )
    },
    TIMEOUT_MS,
  )

  it(
    'is never rendered differently without decoding when it is corrupted',
    async () => {
      const damaged = fc
        .tuple(
          responses,
          fc.nat(),
          fc.constantFrom('', '"', '\\', '[', ']', '{', '}', ',', 'n', ' '),
        )
        .map(([response, at, sign]) => {
          const place = at % (response.length + 1)
          const text =
            response.slice(0, place) + sign + response.slice(place + (sign === '' ? 1 : 0))
          // An unpaired surrogate cannot be sent.
          return Buffer.from(text).toString()
        })
      await fc.assert(
        fc.asyncProperty(damaged, fc.constantFrom(...FORMATS), async (response, format) => {
          const lines = await attempt(() => transposed(format, response))
          if (lines === undefined) return
          expect(lines).toEqual(await attempt(() => decoded(format, response)))
        }),
        { numRuns: ROUNDS },
      )
    },
    TIMEOUT_MS,
  )
})

/** Returns the output, or the kind of the error. */
async function attempt(
  make: () => Promise<string | undefined>,
): Promise<string | { readonly failure: string } | undefined> {
  try {
    return await make()
  } catch (error) {
    return { failure: error instanceof Error ? error.name : '' }
  }
}
