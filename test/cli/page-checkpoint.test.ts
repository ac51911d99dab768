import { execFile, execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { main } from '../../src/main.js'
import { start } from '../support/evq.js'
import { fakeIo } from '../support/fake-io.js'
import { foreignService } from '../support/foreign-service.js'
import { RUNS } from '../support/runs.js'
import { temporaryDirectory } from '../support/temporary.js'

const service = await foreignService()
const scratch = temporaryDirectory()
const binary = join(import.meta.dirname, '../../bin/evq.js')
const T0 = 1_760_000_000_000_000_000n

let folder = ''
let number = 0

beforeEach(() => {
  folder = join(scratch, String(number++))
  mkdirSync(folder)
})

function events(instants: readonly number[]) {
  return instants.map((instant, i) => ({ time: T0 + BigInt(instant) * 10n ** 9n, text: `e${i}` }))
}

const EVENTS = events([1, 1, 2, 3, 3, 3, 3, 4, 5, 6, 6])

function file(name: string): string {
  return join(folder, name)
}

async function page(args: readonly string[]) {
  const io = fakeIo({ env: { EVQ_URL: service.url } })
  const exitCode = await main(['page', "['logs']", ...args], io)
  return { exitCode, err: io.err() }
}

function exportArgs(name: string): readonly string[] {
  return ['--page-size', '2', '-O', file(name), '--checkpoint', file(`${name}.state`)]
}

describe('an export that is larger than a file may be', () => {
  const large = () => ({
    events: EVENTS.map((event) => ({ ...event, text: 'x'.repeat(10_000) })),
    cursors: 'given' as const,
  })

  /** Runs the program with files of at most 64 KiB. */
  async function limited(args: readonly string[]): Promise<string> {
    const script = `trap '' XFSZ; ulimit -f 128; exec "$@"`
    const command = [process.execPath, binary, ...args]
    const env = { ...process.env, EVQ_URL: service.url }
    const failed: unknown = await promisify(execFile)('sh', ['-c', script, 'sh', ...command], {
      env,
    }).catch((error: unknown) => error)
    return (failed as { stderr: string }).stderr
  }

  it.each([
    [[], 'rows.csv'],
    [['--checkpoint'], 'rows.csv.part'],
  ])('names its file: %j', async (flags, named) => {
    service.become(large())
    const kept = flags.flatMap((flag) => [flag, file('state')])
    const err = await limited(['page', "['logs']", '-O', file('rows.csv'), ...kept])
    expect(err).toContain(`evq: \`${file(named)}\` can't be written: file too large.`)
    if (process.platform === 'linux') {
      expect(err).toContain('is 64 KiB (`ulimit -f`). Remove it with `ulimit -f unlimited`.\n')
    }
    expect(existsSync(file('rows.csv'))).toBe(false)
  })

  it('reports how many of its rows the checkpoint has', async () => {
    service.become(large())
    // Six events of 10 kB fit into 64 KiB: three pages.
    const err = await limited(['page', "['logs']", ...exportArgs('rows.csv')])
    expect(err).toContain('stopped after 6 rows; the same command resumes there\n')
    service.become(large())
    const { err: resumed } = await page(exportArgs('rows.csv'))
    expect(resumed).toContain('Resuming after the 6 rows')
  })
})

it('of a refused query leaves no file', async () => {
  const env = { EVQ_URL: service.url }
  service.become({ events: EVENTS, before: () => 400 })
  const refused = await start(['page', "['logs']", ...exportArgs('rows.csv')], {
    directory: folder,
    env,
  }).ended
  expect([refused.status, refused.stdout]).toEqual([2, ''])
  expect(readdirSync(folder)).toEqual([])
})

it('of columns with an empty name, or with a name that is there twice, leaves no file', async () => {
  service.become({ events: EVENTS })
  for (const output of [
    ['-O', file('rows.csv')],
    ['-O', file('rows.parquet')],
    exportArgs('rows.csv'),
  ]) {
    const { exitCode, err } = await page([...output, '--columns', 'text,,_time'])
    expect(err).toBe('evq: `--columns` takes names separated by commas, not `text,,_time`.\n')
    expect(exitCode).toBe(2)
    const twice = await page([...output, '--columns', 'text, _time, text'])
    expect(twice.err).toBe('evq: `--columns` names `text` twice.\n')
    expect(twice.exitCode).toBe(2)
  }
  expect(readdirSync(folder)).toEqual([])
})

describe('an interrupted export', () => {
  const ways = ['csv', 'tsv', 'ndjson', 'json'].flatMap((format) =>
    ['time', 'cursor'].flatMap((by) =>
      ['asc', 'desc'].map((direction) => [format, by, direction] as const),
    ),
  )

  it.each(ways)(
    'resumes after any request to the file of an uninterrupted export: %s, by %s, %s',
    async (format, by, direction) => {
      const interruptions = fc.record({
        instants: fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 16 }),
        pageSize: fc.integer({ min: 1, max: 4 }),
        at: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 3 }),
        // The number of rows, or slightly fewer or more.
        most: fc.option(fc.integer({ min: 1, max: 16 }), { nil: undefined }),
        print: fc.constantFrom([], ['-z', 'Asia/Kolkata'], ['--no-header', '--columns', 'text']),
      })
      await fc.assert(
        fc.asyncProperty(interruptions, async ({ instants, at, pageSize, most, print }) => {
          const args = [
            ...['--page-size', String(pageSize), '--direction', direction, '--by', by, ...print],
            ...(most === undefined ? [] : ['--max-rows', String(most)]),
          ]
          const foreign = { events: events(instants), cursors: 'given' as const }
          rmSync(folder, { recursive: true })
          mkdirSync(folder)
          service.become(foreign)
          const whole = file(`whole.${format}`)
          expect((await page([...args, '-O', whole])).exitCode).toBe(0)
          const parts = file(`parts.${format}`)
          const resumable = [...args, '-O', parts, '--checkpoint', file('state')]
          for (const failing of at) {
            service.become({ ...foreign, before: (n) => (n === failing ? 404 : undefined) })
            await page(resumable)
          }
          service.become(foreign)
          expect((await page(resumable)).exitCode).toBe(0)
          expect(readFileSync(parts, 'utf8')).toBe(readFileSync(whole, 'utf8'))
          const left = [`parts.${format}`, 'state', `whole.${format}`]
          expect(readdirSync(folder).toSorted()).toEqual(left)
        }),
        { numRuns: RUNS / 5 },
      )
    },
  )

  it('resumes after kill -9', async () => {
    service.become({ events: EVENTS })
    await page(['--page-size', '2', '-O', file('whole.csv')])
    for (const at of [1, 3, 5]) {
      const name = `killed-${at}.csv`
      const args = ['page', "['logs']", '--until', '2026-01-01', ...exportArgs(name)]
      let kill = () => {}
      service.become({
        events: EVENTS,
        before(request) {
          if (request === at) kill()
          return undefined
        },
      })
      const killed = start(args, { directory: scratch, env: { EVQ_URL: service.url } })
      kill = () => killed.child.kill('SIGKILL')
      expect((await killed.ended).signal).toBe('SIGKILL')
      service.become({ events: EVENTS })
      const again = start(args, { directory: scratch, env: { EVQ_URL: service.url } })
      expect((await again.ended).status).toBe(0)
      expect(readFileSync(file(name), 'utf8')).toBe(readFileSync(file('whole.csv'), 'utf8'))
    }
  })

  it('is locked by one process', async () => {
    const whole = file('whole.csv')
    service.become({ events: EVENTS })
    await page(['--page-size', '2', '-O', whole])
    let reach = () => {}
    const reached = new Promise<void>((resolve) => {
      reach = resolve
    })
    let goOn = () => {}
    const others = new Promise<void>((resolve) => {
      goOn = resolve
    })
    service.become({
      events: EVENTS,
      async before(request) {
        if (request !== 3) return undefined
        reach()
        await others
        return undefined
      },
    })
    const args = ['page', "['logs']", '--until', '2026-01-01', ...exportArgs('one.csv')]
    const first = start(args, { directory: scratch, env: { EVQ_URL: service.url } })
    await reached
    const same = await page(exportArgs('one.csv'))
    const who = `evq: Another evq process (${first.child.pid}) is writing`
    const help = 'Once it has ended, the same command resumes there.\n'
    expect(same).toEqual({ exitCode: 1, err: `${who} \`${file('one.csv.state')}\`. ${help}` })
    const sameFile = await page(['-O', file('one.csv'), '--checkpoint', file('other.state')])
    expect(sameFile).toEqual({ exitCode: 1, err: `${who} \`${file('one.csv.part')}\`. ${help}` })
    goOn()
    expect((await first.ended).status).toBe(0)
    expect(readFileSync(file('one.csv'), 'utf8')).toBe(readFileSync(whole, 'utf8'))
    expect(readdirSync(folder).toSorted()).toEqual(['one.csv', 'one.csv.state', 'whole.csv'])
  })

  it('needs a checkpoint file that is not the output file', async () => {
    for (const [path, other] of [
      [file('x.csv'), '-O'],
      [`${folder}/./x.csv.part`, '-O (unfinished)'],
    ] as const) {
      const { exitCode, err } = await page(['-O', file('x.csv'), '--checkpoint', path])
      expect(exitCode).toBe(2)
      expect(err).toBe(
        `evq: \`--checkpoint\` names \`${path}\`, which is also the file of \`${other}\`. Write to another file.\n`,
      )
    }
  })

  it('reports after Ctrl-C that it can resume, and leaves the output file unchanged', async () => {
    let interrupt = () => {}
    service.become({
      events: EVENTS,
      before(request) {
        if (request === 4) interrupt()
        return undefined
      },
    })
    writeFileSync(file('a.csv'), 'before')
    const args = ['page', "['logs']", ...exportArgs('a.csv')]
    const evq = start(args, { directory: scratch, env: { EVQ_URL: service.url } })
    interrupt = () => evq.child.kill('SIGINT')
    const { signal, stderr } = await evq.ended
    expect(signal).toBe('SIGINT')
    expect(stderr).toMatch(/^stopped after \d+ rows; the same command resumes there\n$/)
    expect(readFileSync(file('a.csv'), 'utf8')).toBe('before')
  })

  it('reports after a failure that it can resume', async () => {
    service.become({ events: EVENTS, cursors: 'given', before: (n) => (n === 3 ? 403 : undefined) })
    const { exitCode, err } = await page(exportArgs('a.csv'))
    const [, rows] =
      /^stopped after (\d+) rows; the same command resumes there\nevq: No\. /.exec(err) ?? []
    expect([exitCode, rows]).toEqual([4, '4'])
    expect(readFileSync(file('a.csv.part'), 'utf8').trimEnd().split('\n')).toHaveLength(1 + 4)
  })

  it('keeps the end that the first run found, although later events have arrived', async () => {
    const future = events([1, 2, 3, 20_000_000, 20_000_001, 20_000_002])
    const more = events([30_000_000])
    const args = [...exportArgs('a.csv'), '--direction', 'asc', '--manifest', file('m.json')]
    service.become({ events: future, hasNewest: true, before: (n) => (n === 5 ? 404 : undefined) })
    expect((await page(args)).exitCode).not.toBe(0)
    service.become({ events: [...future, ...more], hasNewest: true })
    expect((await page(args)).exitCode).toBe(0)
    expect(readFileSync(file('a.csv'), 'utf8').split('\n')).toHaveLength(future.length + 2)
    expect(JSON.parse(readFileSync(file('m.json'), 'utf8'))).toMatchObject({
      to: '2026-05-28T20:26:42.000000001Z',
      complete: true,
    })
  })

  it('truncates the partial file to the rows in the checkpoint', async () => {
    service.become({ events: EVENTS, before: (n) => (n === 4 ? 404 : undefined) })
    await page(exportArgs('a.csv'))
    const part = file('a.csv.part')
    writeFileSync(part, `${readFileSync(part, 'utf8')}2025-10-09T08:5`)
    service.become({ events: EVENTS })
    expect((await page(exportArgs('a.csv'))).exitCode).toBe(0)
    expect(readFileSync(file('a.csv'), 'utf8').split('\n')).toHaveLength(EVENTS.length + 2)
  })

  it('starts over when the partial file is gone', async () => {
    service.become({ events: EVENTS, before: (n) => (n === 4 ? 404 : undefined) })
    await page(exportArgs('a.csv'))
    rmSync(file('a.csv.part'))
    service.become({ events: EVENTS })
    expect((await page(exportArgs('a.csv'))).exitCode).toBe(0)
    expect(readFileSync(file('a.csv'), 'utf8').split('\n')).toHaveLength(EVENTS.length + 2)
  })
})

describe('a checkpoint', () => {
  it('sends no request when its export is complete', async () => {
    service.become({ events: EVENTS })
    await page(exportArgs('a.csv'))
    service.become({ events: EVENTS })
    const { exitCode, err } = await page(exportArgs('a.csv'))
    expect({ exitCode, err }).toEqual({
      exitCode: 0,
      err: 'already complete: 11 rows\n',
    })
    expect(service.requests).toEqual([])
  })

  it('is rejected, naming the different flag, when it is from another export', async () => {
    service.become({ events: EVENTS })
    await page(exportArgs('a.csv'))
    const { exitCode, err } = await page([...exportArgs('a.csv'), '--direction', 'asc'])
    expect(exitCode).toBe(2)
    expect(err).toContain('its --direction is `desc`, here it is `asc`.')
    const limited = await page([...exportArgs('a.csv'), '--max-rows', '5'])
    expect(limited.exitCode).toBe(2)
    expect(limited.err).toContain('its --max-rows is not set, here it is `5`.')
  })

  it('is not overwritten when it is another file', async () => {
    writeFileSync(file('a.csv.state'), 'my diary')
    expect(await page(exportArgs('a.csv'))).toMatchObject({ exitCode: 2 })
    expect(readFileSync(file('a.csv.state'), 'utf8')).toBe('my diary')
  })

  it('requires an output file', async () => {
    expect(await page(['--checkpoint', file('state')])).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('requires `-O <file>`'),
    })
  })

  it('keeps the links and the permissions of the file that is replaced', async () => {
    service.become({ events: EVENTS })
    writeFileSync(file('private.csv'), 'before', { mode: 0o440 })
    symlinkSync('private.csv', file('a.csv'))
    expect(await page(exportArgs('a.csv'))).toMatchObject({ exitCode: 0 })
    expect(readlinkSync(file('a.csv'))).toBe('private.csv')
    expect(statSync(file('private.csv')).mode & 0o777).toBe(0o440)
    expect(readFileSync(file('private.csv'), 'utf8').split('\n').length).toBe(13)
    expect(await page(exportArgs('a.csv'))).toMatchObject({ err: 'already complete: 11 rows\n' })
  })

  it('sends no request when its output is a directory', async () => {
    service.become({ events: EVENTS })
    mkdirSync(file('a.csv'))
    expect(await page(exportArgs('a.csv'))).toEqual({
      exitCode: 1,
      err: `evq: \`${file('a.csv')}\` can't be written: is a directory.\n`,
    })
    expect(service.requests).toEqual([])
    expect(readdirSync(folder)).toEqual(['a.csv'])
  })

  it('does not replace a pipe or a device', async () => {
    const pipe = file('pipe.csv')
    execFileSync('mkfifo', [pipe])
    for (const out of [pipe, '/dev/stdout']) {
      expect(await page(['-O', out, '-o', 'csv', '--checkpoint', file('state')])).toEqual({
        exitCode: 2,
        err: `evq: \`--checkpoint\` requires a file, and \`${out}\` is a device or a pipe, which can't be resumed.\n`,
      })
    }
    expect(statSync(pipe).isFIFO()).toBe(true)
  })
})

describe('a manifest', () => {
  it('that cannot be written does not hide the failure of the export', async () => {
    service.become({ events: EVENTS, before: (n) => (n === 2 ? 404 : undefined) })
    const manifest = file('missing/m.json')
    const { exitCode, err } = await page(['--page-size', '2', '--manifest', manifest])
    expect(exitCode).toBe(1)
    const [warning, , failure] = err.trimEnd().split('\n').slice(-3)
    expect(warning).toContain(`\`${manifest}\` can't be written: no such file or directory.`)
    expect(failure).toMatch(/^evq: /)
    expect(failure).not.toContain(manifest)
  })

  it('has the query and the number of rows', async () => {
    service.become({ events: EVENTS })
    await page(['-O', file('a.csv'), '--manifest', file('m.json'), '--since', '2025-01-01'])
    expect(JSON.parse(readFileSync(file('m.json'), 'utf8'))).toEqual({
      query: "['logs']",
      from: '2025-01-01T00:00:00Z',
      to: '2026-01-31T12:00:00Z',
      rowsWritten: 11,
      rowsMatched: 11,
      duplicatesDropped: 2,
      pages: 2,
      complete: true,
    })
  })

  it('is not complete when the export failed or was limited', async () => {
    service.become({ events: EVENTS, before: (n) => (n === 2 ? 404 : undefined) })
    await page(['--page-size', '3', '--manifest', file('m.json')])
    expect(JSON.parse(readFileSync(file('m.json'), 'utf8'))).toMatchObject({
      rowsWritten: 3,
      complete: false,
    })
    service.become({ events: EVENTS })
    const { exitCode, err } = await page(['--max-rows', '4', '--manifest', file('m.json')])
    expect(exitCode).toBe(0)
    expect(err).toContain('Limited to 4 rows; 11 matched.')
    expect(JSON.parse(readFileSync(file('m.json'), 'utf8'))).toMatchObject({
      rowsWritten: 4,
      rowsMatched: 11,
      complete: false,
    })
  })
})
