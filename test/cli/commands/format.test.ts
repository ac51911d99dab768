import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { main } from '../../../src/main.js'
import { fakeIo } from '../../support/fake-io.js'
import { temporaryDirectory } from '../../support/temporary.js'

const scratch = temporaryDirectory()

/** A user's configuration directory, and `evq` on it. */
function user() {
  const home = mkdtempSync(join(scratch, 'home-'))
  const path = join(home, 'evq/formats.json')
  const evq = async (...args: readonly string[]) => {
    const io = fakeIo({ env: { XDG_CONFIG_HOME: home } })
    const exitCode = await main(args, io)
    return { exitCode, out: io.out(), err: io.err() }
  }
  const file = (name: string, text: string) => {
    const file = join(home, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    return file
  }
  return { path, evq, file, saved: () => JSON.parse(readFileSync(path, 'utf8')) }
}

const rows = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

describe('evq format add', () => {
  it('saves patterns next to the configuration file', async () => {
    const { evq, saved } = user()
    const added = await evq(
      ...['format', 'add', 'app', '--parse', 'a " " b:long', '--parse', '%{IP:ip}'],
      ...['--description', 'my app'],
    )
    expect(added).toEqual({ exitCode: 0, out: '', err: 'app: added\n' })
    expect(saved()).toEqual([
      { name: 'app', patterns: ['a " " b:long', '%{IP:ip}'], description: 'my app' },
    ])
    expect((await evq('format', 'add', 'app', '--parse', 'a "-" b')).err).toBe('app: replaced\n')
    expect(saved()).toEqual([{ name: 'app', patterns: ['a "-" b'] }])
  })

  it('keeps the formats of commands that run at once', async () => {
    const { evq, saved } = user()
    const names = ['a', 'b', 'c', 'd', 'e']
    await Promise.all(names.map((name) => evq('format', 'add', name, '--parse', 'x "-" y')))
    const found = saved().map(({ name }: { name: string }) => name)
    expect(found.sort()).toEqual(names)
  })

  it('marks the position of an error in a pattern', async () => {
    const { evq } = user()
    const { exitCode, err } = await evq('format', 'add', 'app', '--parse', 'x %{IPP:client} y')
    expect(exitCode).toBe(2)
    expect(err).toBe(
      [
        'error[bad-pattern]: There is no grok pattern `IPP`.',
        '  |',
        '1 | x %{IPP:client} y',
        '  |   ^^^^^^^^^^^^^',
        '  = help: close to `IP`',
        '',
      ].join('\n'),
    )
  })

  it.each([
    [['csv', '--parse', 'a'], '`csv` is a built-in format. Choose another name.'],
    [['log4j', '--parse', 'a'], '`log4j` is a built-in format. Choose another name.'],
    [
      ['a b', '--parse', 'a'],
      '`a b` is not a valid name for a format: use letters, digits, `_`, `.` and `-`.',
    ],
    [['app'], "A format requires a pattern: set `--parse '<pattern>'`."],
  ])('rejects %j', async (args, message) => {
    const { evq } = user()
    expect(await evq('format', 'add', ...args)).toEqual({
      exitCode: 2,
      out: '',
      err: `evq: ${message}\n`,
    })
  })
})

describe('evq format', () => {
  it('lists, shows and removes formats', async () => {
    const { evq } = user()
    expect((await evq('format', 'list')).err).toBe(
      'There are no saved formats. `evq format add` saves one.\n',
    )
    expect((await evq('format', 'list')).out).toBe('')
    expect(JSON.parse((await evq('format', 'list', '-o', 'json')).out)).toEqual([])
    await evq('format', 'add', 'web', '--parse', '%{IP:client} %{INT:status:int}')
    await evq(
      'format',
      'add',
      'app',
      '--parse',
      'a " " b',
      '--parse',
      '(?<a>x)',
      '--description',
      'd',
    )
    expect(rows((await evq('format', 'list')).out)).toEqual([
      { name: 'app', description: 'd', fields: 'a, b' },
      { name: 'web', description: null, fields: 'client, status' },
    ])
    expect(rows((await evq('format', 'show', 'app')).out)).toEqual([
      { pattern: 'a " " b', fields: 'a:string, b:string' },
      { pattern: '(?<a>x)', fields: 'a:string' },
    ])
    expect((await evq('format', 'remove', 'app')).err).toBe('app: removed\n')
    expect(rows((await evq('format', 'list')).out).map(({ name }) => name)).toEqual(['web'])
  })

  it('suggests a saved name for an unknown one', async () => {
    const { evq } = user()
    await evq('format', 'add', 'gateway', '--parse', 'a')
    for (const args of [
      ['show', 'gatway'],
      ['remove', 'gatway'],
      ['test', 'gatway', '-'],
    ]) {
      expect(await evq('format', ...args)).toMatchObject({
        exitCode: 2,
        err: 'evq: There is no saved format `gatway`. Did you mean `gateway`?\n',
      })
    }
  })

  it('completes saved names', async () => {
    const { evq } = user()
    await evq('format', 'add', 'gateway', '--parse', 'a')
    const completed = async (...words: readonly string[]) =>
      (await evq('completion', 'words', '--', ...words)).out
    expect(await completed('format', 'show', 'g')).toBe('gateway\t\n')
    expect(await completed('ingest', 'logs', '-i', 'gat')).toBe('gateway\t\n')
  })

  it('reads saved formats with a byte order mark', async () => {
    const { evq, file } = user()
    file('evq/formats.json', '\ufeff[{"name":"app","patterns":["a"]}]\r\n')
    const { exitCode, out } = await evq('format', 'list')
    expect(exitCode).toBe(0)
    expect(rows(out)).toEqual([expect.objectContaining({ name: 'app' })])
  })

  it.each([
    ['{', 'is not JSON.'],
    ['{}', 'is not an array of formats.'],
    ['[{"name": 1}]', 'is not an object with a `name` and an array of `patterns`.'],
    ['[{"name": "x", "patterns": ["("]}]', "can't be used: "],
  ])('reports the saved formats %s', async (text, message) => {
    const { evq, file } = user()
    file('evq/formats.json', text)
    const { exitCode, err } = await evq('format', 'list')
    expect([exitCode, err]).toEqual([2, expect.stringContaining(message)])
  })
})

describe('evq format test', () => {
  const LINES = '7 ok\nx no\n\n8 ok\n  more\n9\n'

  it('reports what a check of the file with the format reports', async () => {
    const { evq, file } = user()
    await evq('format', 'add', 'app', '--parse', '^(?<n:long>\\d+) (?<message>.*)')
    const log = file('a.log', LINES)
    const { exitCode, out, err } = await evq('format', 'test', 'app', log)
    expect(rows(out).filter(({ kind }) => kind === 'file')).toMatchObject([
      { events: 4, matching: 2 },
    ])
    expect(rows(out).filter(({ kind }) => kind === 'example')).toMatchObject([
      { line: 1, text: '7 ok', fields: { n: '7', message: 'ok' } },
      { line: 2, text: 'x no', fields: { message: 'x no' } },
      { line: 4, text: '8 ok\n  more', fields: { n: '8', message: 'ok\n  more' } },
    ])
    expect(err).toContain('no field of `app` has a time, so events get the time of arrival\n')
    expect(err).toContain("2 lines can't be read as `app`")
    expect(exitCode).toBe(0)
    expect(await evq('ingest', 'app', log, '-i', 'app', '--check')).toEqual({ exitCode, out, err })
  })

  it('exits with 1 when the file cannot be read', async () => {
    const { evq } = user()
    await evq('format', 'add', 'app', '--parse', '"#" a')
    const missing = await evq('format', 'test', 'app', '/missing.log')
    expect(missing.exitCode).toBe(1)
    expect(missing.err).toContain('/missing.log')
  })
})
