import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { beforeAll, describe, expect, it } from 'vitest'
import { cannedService, tabular } from '../support/canned-service.js'
import { evq } from '../support/evq.js'
import { evqInProcess } from '../support/evq-in-process.js'
import { needs } from '../support/needs.js'
import { hasTerminal, startOnTerminal } from '../support/pty.js'
import { temporaryDirectory } from '../support/temporary.js'

const scratch = temporaryDirectory()
const directory = join(scratch, 'data')
const binary = join(import.meta.dirname, '../../bin/evq.js')
const env = { XDG_CONFIG_HOME: join(scratch, 'config'), TMPDIR: scratch }

const service = await cannedService()
const remote = { ...env, EVQ_URL: service.url }

const RESPONSE = tabular([
  {
    name: '_time',
    type: 'datetime',
    values: '["2026-01-01T00:00:00.123456789Z",null,"1969-12-31T23:59:59Z"]',
  },
  { name: 'int', type: 'integer', values: '[9223372036854775807,-9223372036854775808,null]' },
  { name: 'large', type: 'integer', values: '[18446744073709551615,0,null]' },
  { name: 'real', type: 'float', values: '[0.1,1.7976931348623157e308,5e-324]' },
  { name: 'ok', type: 'boolean', values: '[true,false,null]' },
  { name: "te`x't\\\\", type: 'string', values: '["a\\u0000\\"é\\n😀","",null]' },
  {
    name: 'any',
    type: '',
    values: '[{"a":[1,{"b":9007199254740993}]},"x",12345678901234567890123]',
  },
  { name: 'none', type: 'string', values: '[null,null,null]' },
])

/** The rows of a file as another program reads them. */
async function readBack(file: string) {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  const reader = await connection.runAndReadAll('SELECT * FROM read_parquet($1)', [file])
  return {
    names: reader.columnNames(),
    types: reader.columnTypes().map(String),
    rows: reader.getRows(),
  }
}

const run = (args: readonly string[]) => evq(args, { directory, env, stdin: '' })
/** Runs a command that needs no engine. */
const runRemote = (args: readonly string[]) => evqInProcess(args, { directory, env: remote })

beforeAll(() => {
  mkdirSync(directory)
})

describe('a Parquet file', () => {
  it('has the exact values of a result, also of a remote one', async () => {
    service.respondWith({ body: RESPONSE })
    const file = join(scratch, 'rows.parquet')
    expect(await runRemote(['query', 'logs', '-O', file])).toMatchObject({
      status: 0,
      stdout: '',
    })
    const { names, types, rows } = await readBack(file)
    expect(names).toEqual(['_time', 'int', 'large', 'real', 'ok', "te`x't\\\\", 'any', 'none'])
    expect(types).toEqual([
      ...['TIMESTAMP WITH TIME ZONE', 'BIGINT', 'UBIGINT', 'DOUBLE', 'BOOLEAN'],
      ...['VARCHAR', 'VARCHAR', 'VARCHAR'],
    ])
    // This reader has microseconds.
    expect(rows.map(([time]) => (time as { micros: bigint } | null)?.micros)).toEqual([
      1767225600123456n,
      undefined,
      -1000000n,
    ])
    expect(rows.map((row) => row.slice(1))).toEqual([
      [
        ...[9223372036854775807n, 18446744073709551615n, 0.1, true, 'a\0"é\n😀'],
        ...['{"a":[1,{"b":9007199254740993}]}', null],
      ],
      [-9223372036854775808n, 0n, 1.7976931348623157e308, false, '', 'x', null],
      [null, null, 5e-324, null, null, '12345678901234567890123', null],
    ])
  })

  it('keeps nanoseconds, nulls and the order when it is read again', async () => {
    service.respondWith({ body: RESPONSE })
    const file = join(scratch, 'read*{again}.parquet')
    await runRemote(['query', 'logs', '-O', file, '--columns', '_time,int,real,any'])
    const { stdout } = await run([
      'query',
      '-i',
      file.replaceAll(/[*{}]/g, '?'),
      'project _time, int, real, any',
    ])
    const rows = stdout.trim().split('\n')
    expect(rows).toHaveLength(3)
    expect(rows[0]).toBe(
      '{"_time":"2026-01-01T00:00:00.123456789Z","int":9223372036854775807,"real":0.1,"any":"{\\"a\\":[1,{\\"b\\":9007199254740993}]}"}',
    )
    expect(rows[1]).toContain('"int":-9223372036854775808,"real":1.7976931348623157e308,"any":"x"}')
    expect(rows[2]).toContain('"int":null,"real":5e-324,"any":"12345678901234567890123"}')
  })

  it('is ingested like NDJSON, whatever format is set', async () => {
    const events = [3, 1, 2].map((n) => `{"_time":"2026-01-01T00:00:0${n}.00000000${n}Z","n":${n}}`)
    await evq(['ingest', 'logs', '-q'], { directory, env, stdin: events.join('\n') })
    const file = join(scratch, 'events.parquet')
    await run(['query', 'logs | project _time, n | sort by n asc', '-O', file])
    const { stderr, status } = await run(['ingest', 'copy', file, '-i', 'csv'])
    expect(stderr).toContain('copy: 3 events stored')
    expect(status).toBe(0)
    const query = 'project _time, n | sort by n asc'
    const [first, second] = await Promise.all([
      run(['query', `logs | ${query}`]),
      run(['query', `copy | ${query}`]),
    ])
    expect(first.stdout).not.toBe('')
    expect(second.stdout).toBe(first.stdout)
    const check = await run(['ingest', 'copy', file, '--check'])
    expect(check.stdout + check.stderr).toContain('3')
  })

  it('has its columns without rows', async () => {
    const file = join(scratch, 'empty.parquet')
    const fields = [{ name: 'n', type: 'integer', values: '[]' }]
    service.respondWith({ body: tabular(fields) })
    await runRemote(['query', 'logs', '-O', file])
    expect(await readBack(file)).toEqual({ names: ['n'], types: ['BIGINT'], rows: [] })
  })

  it('goes to a pipe with `-o parquet`, and never to a terminal', async () => {
    service.respondWith({ body: RESPONSE })
    const { stdout } = await runRemote(['query', 'logs', '-o', 'parquet'])
    expect(stdout.startsWith('PAR1')).toBe(true)
  })

  it('has all rows of an export, in its order, with the types of the dataset', async () => {
    const count = 60_000
    const events = Array.from(
      { length: count },
      (_, i) =>
        `{"_time":"2026-02-01T00:00:00.${String(i).padStart(9, '0')}Z","i":${i},"half":${i / 2},"text":"t${i}","tags":[${i}],"both":${i % 2 === 0 ? i : `"${i}"`}}\n`,
    )
    await evq(['ingest', 'exported', '-q'], { directory, env, stdin: events.join('') })
    const file = join(scratch, 'exported.parquet')
    const { stderr, status } = await run(['page', 'exported', '-O', file, '--direction', 'asc'])
    expect(stderr).toContain('60,000 rows')
    expect(status).toBe(0)
    const { names, types, rows } = await readBack(file)
    const typeOf = (name: string) => types[names.indexOf(name)]
    expect(typeOf('_time')).toBe('TIMESTAMP WITH TIME ZONE')
    expect(typeOf('i')).toBe('BIGINT')
    expect(typeOf('half')).toBe('DOUBLE')
    expect(['text', 'tags', 'both'].map(typeOf)).toEqual(['VARCHAR', 'VARCHAR', 'VARCHAR'])
    const columns = ['i', 'half', 'text', 'tags', 'both'].map((name) => names.indexOf(name))
    expect(rows.map((row) => columns.map((column) => row[column]))).toEqual(
      Array.from({ length: count }, (_, i) => [BigInt(i), i / 2, `t${i}`, `[${i}]`, `${i}`]),
    )
    // The last page is not written as a whole.
    const most = '50001'
    await run(['page', 'exported', '-O', file, '--direction', 'asc', '--max-rows', most])
    const some = await readBack(file)
    expect(some.types).toEqual(types)
    expect(some.rows).toEqual(rows.slice(0, Number(most)))
  })

  it('has the chosen columns of files, in this order', async () => {
    const input = join(scratch, 'many.ndjson')
    writeFileSync(input, '{"n":1,"text":"a"}\n{"n":2.5,"text":null}\n'.repeat(30_000))
    const file = join(scratch, 'chosen.parquet')
    const { stderr } = await run([
      'query',
      '-i',
      input,
      'where true',
      '--columns',
      'text,n',
      '-O',
      file,
    ])
    expect(stderr).toContain('60,000 rows')
    const { names, types, rows } = await readBack(file)
    expect([names, types]).toEqual([
      ['text', 'n'],
      ['VARCHAR', 'DOUBLE'],
    ])
    expect(rows.slice(0, 2)).toEqual([
      ['a', 1],
      [null, 2.5],
    ])
    expect(rows).toHaveLength(60_000)
  })

  it('is not resumed', async () => {
    const file = join(scratch, 'x.parquet')
    const { stderr, status } = await runRemote([
      ...['page', 'logs', '-O', file, '--checkpoint', join(scratch, 'x.checkpoint')],
    ])
    expect(stderr).toContain(`\`-O ${file}\` can't be resumed`)
    expect(status).toBe(2)
  })

  it('of another program has times of day and intervals as text', async () => {
    const file = join(scratch, 'clock.parquet')
    const connection = await (await DuckDBInstance.create()).connect()
    await connection.run(
      `COPY (SELECT * FROM (VALUES
        (1, TIME '04:05:06.12', INTERVAL '14 months 3 days 4500 milliseconds', BLOB 'abcdefghijkl'),
        (2, NULL, NULL, NULL)) AS t(n, "a\`b\\", "took", "bytes")) TO '${file}' (FORMAT parquet)`,
    )
    const { stdout } = await evqInProcess(['query', '-i', file, 'project-away _time'], {
      directory,
      env,
    })
    const [first = '', second = ''] = stdout.split('\n')
    expect([JSON.parse(first), JSON.parse(second)]).toEqual([
      { n: 1, 'a`b\\': '04:05:06.120000', took: 'P14M3DT4.5S', bytes: 'abcdefghijkl' },
      { n: 2, 'a`b\\': null, took: null, bytes: null },
    ])
  })

  it('that is damaged or comes from a pipe is reported', async () => {
    const whole = readFileSync(join(scratch, 'events.parquet'))
    const file = join(scratch, 'damaged.parquet')
    writeFileSync(file, whole.subarray(0, whole.length - 9))
    const damaged = await run(['ingest', 'copy', file])
    expect(damaged.stderr).toMatch(
      /damaged\.parquet` can't be read as Parquet: Not a Parquet file .*\.\n/,
    )
    expect(damaged.status).toBe(1)
    // The engine finds damage in front of the metadata while it reads rows, and then names the link that it reads.
    const bytes = Buffer.from(whole)
    bytes[40]! ^= 1
    writeFileSync(file, bytes)
    const changed = await run(['ingest', 'copy', file])
    expect(changed.stderr).toMatch(/damaged\.parquet` can't be read as Parquet: [^/]+\.\n/)
    const piped = await evq(['ingest', 'copy'], { directory, env, stdin: whole })
    expect(piped.stderr).toContain('is a Parquet file, which can only be read as a file')
    expect(piped.status).toBe(1)
  })
})

describe('on a terminal', needs(hasTerminal, 'a pseudo-terminal'), () => {
  it('`-o parquet` is refused', async () => {
    const command = [
      process.execPath,
      binary,
      'query',
      'logs',
      '--since',
      '2026-01-01',
      '-o',
      'parquet',
    ]
    const terminal = startOnTerminal(command, { env: { ...env, EVQ_DATA_DIR: directory } })
    expect((await terminal.ended).status).toBe(2)
    expect(terminal.raw()).toContain(
      'Parquet is not text: write it to a file with `-O rows.parquet`.',
    )
    expect(terminal.raw()).not.toContain('PAR1')
  })
})
