// A file that is read must survive a command line that names it as output, whatever its other names are.
import {
  createReadStream,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Io } from '../../src/cli/context.js'
import { main } from '../../src/main.js'
import { cannedService } from '../support/canned-service.js'
import { fakeIo } from '../support/fake-io.js'
import { temporaryDirectory } from '../support/temporary.js'

const service = await cannedService()
const scratch = temporaryDirectory()
const EVENTS = Array.from({ length: 1000 }, (_, n) => `{"n":${n}}\n`).join('')

let folder = ''
const file = (name: string) => join(folder, name)

beforeEach(() => {
  folder = mkdtempSync(join(scratch, 'files-'))
  service.received.length = 0
  writeFileSync(file('app.ndjson'), EVENTS)
  writeFileSync(file('q.apl'), "['logs']")
  symlinkSync('app.ndjson', file('symbolic.ndjson'))
  linkSync(file('app.ndjson'), file('hard.ndjson'))
  symlinkSync('.', file('here'))
  mkdirSync(file('logs'))
  writeFileSync(file('logs/a.ndjson'), EVENTS)
})

async function run(args: readonly string[]) {
  const io = fakeIo({ env: { EVQ_URL: service.url }, stdin: '' })
  const status = await main(
    args.map((arg) => arg.replaceAll('@', `${folder}/`)),
    io,
  )
  return { status, err: io.err().replaceAll('\n', ' ').replaceAll(`${folder}/`, '@') }
}

const NAMES = ['app.ndjson', './app.ndjson', 'symbolic.ndjson', 'hard.ndjson', 'here/app.ndjson']

type Refused = readonly [flag: string, args: readonly string[]]

describe('an output that is an input is refused', () => {
  it.each<Refused>([
    ...NAMES.flatMap((name): Refused[] => [
      ['-O', ['query', '-i', '@app.ndjson', 'limit 5', '-O', `@${name}`]],
      ['-O', ['query', "file('@app.ndjson') | limit 5", '-O', `@${name}`]],
      ['--rejects', ['ingest', 'logs', '@app.ndjson', '--rejects', `@${name}`]],
    ]),
    ...NAMES.slice(2, 4).flatMap((name): Refused[] => [
      ['-O', ['query', '-i', `@${name}`, 'limit 5', '-O', '@app.ndjson']],
      ['-O', ['query', '-i', '@*.ndjson', 'limit 5', '-O', `@${name}`]],
      ['-O', ['query', "union file('@*.ndjson'), file('@logs/a.ndjson')", '-O', `@${name}`]],
      ['-O', ['query', '-i', '@app.ndjson', 'count', '-o', 'raw', '-O', `@${name}`]],
      ['-O', ['query', '-i', '@app.ndjson', 'where n == 1', '-C', '1', '-O', `@${name}`]],
      ['--receipt', ['ingest', 'logs', '@app.ndjson', '--receipt', `@${name}`]],
      ['--checkpoint', ['ingest', 'logs', '@app.ndjson', '--checkpoint', `@${name}`]],
      ['--receipt', ['ingest', 'logs', '--retry', '@app.ndjson', '--receipt', `@${name}`]],
    ]),
    ['-O', ['query', '-f', '@q.apl', '-O', '@here/q.apl']],
    ['-O', ['page', '-f', '@q.apl', '-o', 'csv', '-O', '@here/q.apl']],
    ['--checkpoint', ['page', '-f', '@q.apl', '-O', '@x.csv', '--checkpoint', '@q.apl']],
    ['--manifest', ['page', '-f', '@q.apl', '-O', '@x.csv', '--manifest', '@here/q.apl']],
    [
      '-O',
      [
        ...['diff', "file('@logs/a.ndjson') | summarize count()", '--against-query'],
        ...["file('@app.ndjson') | summarize count()", '-O', '@symbolic.ndjson', '-o', 'csv'],
      ],
    ],
    ['--rejects', ['ingest', 'logs', '-r', '@logs', '--rejects', '@logs/a.ndjson']],
    ['--rejects', ['ingest', 'logs', '-r', '@logs', '--rejects', '@here/logs/new.ndjson']],
  ])('%s of %j', async (flag, args) => {
    const { status, err } = await run(args)
    expect(status, err).toBe(2)
    expect(err).toMatch(new RegExp(`^evq: \`${flag}\` names \`@.*\`, which is .*input`))
    for (const name of ['app.ndjson', 'logs/a.ndjson'])
      expect(readFileSync(file(name), 'utf8')).toBe(EVENTS)
    expect(readFileSync(file('q.apl'), 'utf8')).toBe("['logs']")
    expect(service.received).toEqual([])
  })

  it('-O of the file on standard input', async () => {
    const io = fakeIo()
    const input = createReadStream('', { fd: openSync(file('app.ndjson'), 'r') })
    const stdin = Object.assign(input, { isTTY: false }) as unknown as Io['stdin']
    const status = await main(['query', 'limit 5', '-O', file('hard.ndjson')], { ...io, stdin })
    input.destroy()
    expect([status, io.err().replaceAll('\n', ' ')]).toEqual([
      2,
      expect.stringContaining('which is the file on standard input'),
    ])
  })
})

describe('an output that is another output is refused', () => {
  it.each([
    ['--receipt', ['--rejects', '@out', '--receipt', '@here/out'], '--rejects'],
    ['--checkpoint', ['--checkpoint', '@out', '--receipt', '@out'], '--receipt'],
  ])('%s of %j', async (flag, flags, other) => {
    expect(await run(['ingest', 'logs', '@app.ndjson', ...flags])).toEqual({
      status: 2,
      err: expect.stringMatching(
        `^evq: \`${flag}\` names \`@.*\`, which is also the file of \`${other}\`\\. Write to another file\\. $`,
      ),
    })
    expect(service.received).toEqual([])
  })
})

describe('an output that is another file', () => {
  it('replaces its target when the result is complete, and only then', async () => {
    writeFileSync(file('out.ndjson'), 'before\n')
    symlinkSync('out.ndjson', file('link.ndjson'))
    const mistaken = ['query', '-i', '@app.ndjson', 'where m == 1', '-O', '@link.ndjson']
    const wrong = await run(mistaken)
    expect(wrong.status).toBe(2)
    mkdirSync(file('folder.ndjson'))
    const args = ['query', '-i', '@folder.ndjson', 'where n == 1', '-O', '@link.ndjson']
    expect((await run(args)).status).toBe(1)
    expect((await run([...args, '-C', '1'])).status).toBe(1)
    expect((await run([...mistaken, '-C', '1'])).status).toBe(2)
    expect(readFileSync(file('out.ndjson'), 'utf8')).toBe('before\n')
    const right = await run([
      'query',
      '-i',
      '@app.ndjson',
      'where n < 2 | project n',
      '-O',
      '@link.ndjson',
    ])
    expect(right.status, right.err).toBe(0)
    expect(readFileSync(file('out.ndjson'), 'utf8')).toBe('{"n":0}\n{"n":1}\n')
  })

  it('may be a device that is read too', async () => {
    const { status } = await run([
      'query',
      '-i',
      '@app.ndjson',
      'count',
      '-o',
      'csv',
      '-O',
      '/dev/null',
    ])
    expect(status).toBe(0)
  })
})
