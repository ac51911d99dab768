import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { describe, expect, it } from 'vitest'
import { main } from '../../src/main.js'
import { cannedService, tabular } from '../support/canned-service.js'
import { fakeIo } from '../support/fake-io.js'
import { needs } from '../support/needs.js'
import { temporaryDirectory } from '../support/temporary.js'

const scratch = temporaryDirectory()
const service = await cannedService()

/** Difficult values: delimiters, line ends, wide and joined characters, control characters, nulls. */
const TEXTS = [
  ...['plain', '', ' a ', ',', '"', '""', '"a,b"', "'", ';', '\t', '\n', '\r\n', '\r', 'a\nb\r\nc'],
  ...[
    '\\',
    '\\N',
    '\\n',
    'NULL',
    'null',
    '=1+1',
    '#x',
    '注文',
    '👩‍👩‍👧‍👦',
    'e\u0301',
    'عربى',
    '\u2028',
    '\ufeffx',
  ],
  ...['\u001b[31m', '\u0000', '|', '<br>', '`x`', '*x*', '{"a":1}', '[', 'é'.repeat(300)],
]
const EXTREMES = ['9223372036854775807', '-9223372036854775808', '9007199254740993', '0']
const INTEGERS = TEXTS.map((_, row) => (row % 5 === 0 ? 'null' : EXTREMES[row % 4]!))
/** Times with nanoseconds. */
const TIMES = TEXTS.map((_, row) =>
  row % 7 === 6 ? null : `2262-04-11T23:47:16.85477${String(row).padStart(3, '0')}7Z`,
)
const NESTED = TEXTS.map((text, row) =>
  row % 3 === 0 ? null : { [text]: [text, null, 1.5, true] },
)
/** A name that needs quoting in every format. */
const NAMES = ['text', 'n', 'a "b", c', 'ok', 'ratio', 'at']
const ROWS = TEXTS.map((text, row) => [
  row % 5 === 4 ? null : text,
  INTEGERS[row] === 'null' ? null : INTEGERS[row]!,
  NESTED[row] === null ? null : JSON.stringify(NESTED[row]),
  row % 2 === 0 ? 'true' : 'false',
  '-1.5e-7',
  TIMES[row]!,
])

/** Nulls are empty strings for programs without nulls. */
const WITHOUT_NULLS = ROWS.map((row) => row.map((cell) => cell ?? ''))

service.respondWith({
  body: tabular([
    { name: 'text', type: 'string', values: JSON.stringify(ROWS.map(([text]) => text)) },
    { name: 'n', type: 'integer', values: `[${INTEGERS}]` },
    { name: 'a "b", c', type: 'unknown', values: JSON.stringify(NESTED) },
    { name: 'ok', type: 'boolean', values: `[${ROWS.map(([, , , ok]) => ok)}]` },
    { name: 'ratio', type: 'float', values: `[${ROWS.map(() => '-1.5e-7')}]` },
    { name: 'at', type: 'datetime', values: JSON.stringify(TIMES) },
  ]),
})

/** The rows above in a format, rendered from the bytes of the response and from its values. */
async function printed(format: string): Promise<readonly string[]> {
  const texts: string[] = []
  for (const more of [[], ['-z', 'UTC']]) {
    const io = fakeIo({ env: { EVQ_URL: service.url } })
    expect(await main(['query', "['logs']", '-o', format, ...more], io)).toBe(0)
    texts.push(io.out())
  }
  return texts
}

function run(program: string, args: readonly string[], input: string): string {
  const { status, stdout, stderr } = spawnSync(program, args, { input, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program}: ${stderr}`)
  return stdout
}

const has = (program: string, ...args: readonly string[]) => spawnSync(program, args).status === 0
const needsPython = needs(has('python3', '--version'), 'python3')

/** The columns as declared for DuckDB, all of them strings. */
function columns(): string {
  return NAMES.map((name) => `'${name}': 'varchar'`).join(', ')
}

/** The records of a text by the grammar of RFC 4180; an empty field without quotes is null. */
function recordsOf(csv: string): readonly (readonly (string | null)[])[] {
  const records: (string | null)[][] = []
  let record: (string | null)[] = []
  let rest = csv
  while (rest !== '') {
    const [all, escaped, plain = '', end] =
      /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n)/.exec(rest) ?? []
    if (all === undefined)
      throw new Error(`no field begins with ${JSON.stringify(rest.slice(0, 40))}`)
    record.push(escaped?.replaceAll('""', '"') ?? (plain === '' ? null : plain))
    rest = rest.slice(all.length)
    if (end === ',') continue
    records.push(record)
    record = []
  }
  return records
}

describe('CSV', () => {
  it('reads back equal by RFC 4180, nulls distinguished from empty strings', async () => {
    for (const csv of await printed('csv')) expect(recordsOf(csv)).toEqual([NAMES, ...ROWS])
  })

  it('reads back equal in Python', needsPython, async () => {
    const script = [
      'import csv, io, json, sys',
      'text = sys.stdin.buffer.read().decode("utf-8")',
      'print(json.dumps(list(csv.reader(io.StringIO(text, newline=""), strict=True))))',
    ].join('\n')
    for (const csv of await printed('csv')) {
      expect(JSON.parse(run('python3', ['-c', script], csv))).toEqual([NAMES, ...WITHOUT_NULLS])
    }
  })

  it('reads back equal in DuckDB', async () => {
    const database = await (await DuckDBInstance.create(':memory:')).connect()
    const file = join(scratch, 'rows.csv')
    // Its driver for Node removes a byte-order mark from each string.
    const expected = ROWS.map((row) => row.map((text) => text?.replace(/^\ufeff/, '') ?? null))
    const options = `header = true, delim = ',', quote = '"', escape = '"', allow_quoted_nulls = false`
    for (const csv of await printed('csv')) {
      writeFileSync(file, csv)
      const read = `from read_csv('${file}', auto_detect = false, ${options}, columns = {${columns()}})`
      expect((await database.runAndReadAll(read)).getRows()).toEqual(expected)
    }
    database.closeSync()
  })
})

describe('NDJSON and JSON', () => {
  const values = ROWS.map(([text], row) => {
    return [text, NESTED[row], row % 2 === 0, -1.5e-7, TIMES[row]]
  })

  it('read back equal in jq', needs(has('jq', '--version'), 'jq'), async () => {
    // Older ones round integers to doubles.
    const filter = '[.text, ."a \\"b\\", c", .ok, .ratio, .at]'
    for (const lines of await printed('ndjson')) {
      const rows = run('jq', ['-c', filter], lines).trimEnd().split('\n')
      expect(rows.map((row) => JSON.parse(row))).toEqual(values)
    }
    for (const array of await printed('json')) {
      expect(JSON.parse(run('jq', ['-c', `[.[] | ${filter}]`], array))).toEqual(values)
    }
  })

  it('have integers that Python reads exactly', needsPython, async () => {
    const numbers = (read: string) =>
      `import json, sys\nprint([row["n"] for row in ${read}] == json.loads(sys.argv[1]))`
    const expected = `[${INTEGERS}]`
    for (const [format, read] of [
      ['ndjson', '(json.loads(line) for line in sys.stdin.buffer)'],
      ['json', 'json.load(sys.stdin.buffer)'],
    ] as const) {
      for (const text of await printed(format)) {
        expect(run('python3', ['-c', numbers(read), expected], text)).toBe('True\n')
      }
    }
  })
})

describe('TSV', () => {
  it('reads back equal by its escapes, nulls distinguished from empty strings', async () => {
    const escapes: Record<string, string> = { t: '\t', n: '\n', r: '\r', '\\': '\\' }
    const cell = (text: string) =>
      text === '\\N' ? null : text.replaceAll(/\\(.)/g, (_, sign: string) => escapes[sign] ?? '?')
    for (const tsv of await printed('tsv')) {
      const lines = tsv.slice(0, -1).split('\n')
      expect(lines.map((line) => line.split('\t').map(cell))).toEqual([NAMES, ...ROWS])
    }
  })

  it('reads back equal in Python', needsPython, async () => {
    const script = [
      'import csv, json, re, sys',
      'text = sys.stdin.buffer.read().decode("utf-8")',
      'rows = csv.reader(text.split("\\n")[:-1], delimiter="\\t", quoting=csv.QUOTE_NONE)',
      'marks = {"t": "\\t", "n": "\\n", "r": "\\r", "\\\\": "\\\\", "N": ""}',
      'plain = lambda cell: re.sub(r"\\\\(.)", lambda found: marks[found[1]], cell)',
      'print(json.dumps([[plain(cell) for cell in row] for row in rows]))',
    ].join('\n')
    for (const tsv of await printed('tsv')) {
      expect(JSON.parse(run('python3', ['-c', script], tsv))).toEqual([NAMES, ...WITHOUT_NULLS])
    }
  })
})

describe('Markdown', () => {
  it('renders to one row per line with the rules of GitHub for tables', async () => {
    // A line end in a cell becomes a tag, and a space at its edge a character reference.
    const shown = (text: string | null) =>
      text === '' ? '""' : (text ?? '').replaceAll(/\r\n|\r|\n/g, '\n')
    const cell = (text: string) =>
      text
        .slice(1, -1)
        .replaceAll(/\\([!-/:-@[-`{-~])|&#(\d+);|<br>/g, (_, sign?: string, code?: string) =>
          code === undefined ? (sign ?? '\n') : String.fromCharCode(Number(code)),
        )
    for (const markdown of await printed('markdown')) {
      const lines = markdown.slice(0, -1).split('\n')
      const cells = lines.map((line) =>
        line
          .split(/(?<!\\)(?:\\\\)*\|/)
          .slice(1, -1)
          .map(cell),
      )
      expect(cells.toSpliced(1, 1)).toEqual([NAMES, ...ROWS.map((row) => row.map(shown))])
    }
  })
})
