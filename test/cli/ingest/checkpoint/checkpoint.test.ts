import {
  copyFileSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { lock } from '../../../../src/local/file-lock.js'
import { main } from '../../../../src/main.js'
import { evq, start } from '../../../support/evq.js'
import { fakeIo } from '../../../support/fake-io.js'
import { needs, needsLinux } from '../../../support/needs.js'
import { type Mishap, type RoughOptions, roughService } from '../../../support/rough-service.js'
import { temporaryDirectory } from '../../../support/temporary.js'
import { until } from '../../../support/until.js'

const scratch = temporaryDirectory()
let files = 0

describe('running the same command again', () => {
  it('sends nothing after a complete run and says so', async () => {
    const { file, run, service } = await scene('{"n":1}\n{"n":2}\n')
    expect((await run()).exitCode).toBe(0)
    const { exitCode, err } = await run()
    expect(service.events).toEqual(['{"n":1}', '{"n":2}'])
    expect(exitCode).toBe(0)
    expect(err).toBe(
      `\`${file}\` has no new events: its 2 events were sent before. \`--replace\` removes these events and sends them again.\n` +
        'logs: 0 events stored, none are new\n',
    )
  })

  it('sends everything with --no-checkpoint', async () => {
    const { run, service } = await scene('{"n":1}\n')
    await run()
    expect((await run('--no-checkpoint')).exitCode).toBe(0)
    expect(service.events).toEqual(['{"n":1}', '{"n":1}'])
  })

  it('sends what was added to a file', async () => {
    const { file, run, service } = await scene('{"n":1}\n{"n":2}\n')
    await run()
    writeFileSync(file, '{"n":3}\n', { flag: 'a' })
    const { err } = await run()
    expect(service.events).toEqual(['{"n":1}', '{"n":2}', '{"n":3}'])
    expect(err).toMatch(/^logs: 1 event stored/)
  })

  it('reads the times of added lines in the layout of the first ones', async () => {
    const { file, run, service } = await scene('03/14/2025 10:00:00 a\n')
    expect((await run()).err).toContain(
      `${file}: time 03/14/2025 10:00:00 (month/day/year; no zone, UTC assumed)`,
    )
    // By itself, this line could be of 3 April.
    writeFileSync(file, '03/04/2025 10:00:00 b\n', { flag: 'a' })
    await run()
    expect(service.events.map((text) => JSON.parse(text))).toEqual([
      { _time: '2025-03-14T10:00:00Z', message: 'a' },
      { _time: '2025-03-04T10:00:00Z', message: 'b' },
    ])
  })

  it('gives added lines without a time the time of the event in front of them', async () => {
    const { file, run, service } = await scene('2025-03-14 10:00:00 a\n2025-03-14 10:00:01 b\n')
    await run()
    writeFileSync(file, 'reloading\n2025-03-14 10:00:02 c\n', { flag: 'a' })
    await run()
    expect(service.events.map((text) => JSON.parse(text))).toEqual([
      { _time: '2025-03-14T10:00:00Z', message: 'a' },
      { _time: '2025-03-14T10:00:01Z', message: 'b' },
      { _time: '2025-03-14T10:00:01Z', message: 'reloading' },
      { _time: '2025-03-14T10:00:02Z', message: 'c' },
    ])
  })

  it('reads added lines without a year after the first one', async () => {
    const { file, run, service } = await scene('Dec 30 10:00:00 a\n')
    const flags = ['--year', '2019', '-z', 'Europe/Berlin']
    expect((await run(...flags)).err).toContain(
      `${file}: time Dec 30 10:00:00 (no year, 2019 assumed; no zone, Europe/Berlin assumed)`,
    )
    writeFileSync(file, 'Jan  2 10:00:00 b\n', { flag: 'a' })
    expect((await run(...flags)).err).toContain('(no year, 2020 assumed;')
    expect(service.events.map((text) => JSON.parse(text)._time)).toEqual([
      '2019-12-30T09:00:00Z',
      '2020-01-02T09:00:00Z',
    ])
    const { exitCode, err } = await run('--year', '2019', '-z', 'UTC')
    expect(exitCode).toBe(2)
    expect(err).toContain(
      'was sent with `--timezone Europe/Berlin` before, not with `--timezone UTC`.',
    )
    expect((await run('--year', '2018', '-z', 'Europe/Berlin')).err).toContain(
      'was sent with `--year 2019` before, not with `--year 2018`.',
    )
    expect((await run(...flags, '--strict-input')).err).toContain(
      'was sent with no `--strict-input` before, not with `--strict-input`.',
    )
  })

  it('sends a batch again with the times that it had', async () => {
    let isBusy = true
    const lines = ['03/14/2025 10:00:00 a', '03/04/2025 10:00:00 b', '03/05/2025 10:00:00 c']
    const { run, service } = await scene(`${lines.join('\n')}\n`, {
      mishap: (request) => (isBusy && request > 0 ? '429' : 'none'),
    })
    const options = ['--batch-size', '1', '--concurrency', '1']
    expect((await run(...options)).exitCode).toBe(3)
    expect(service.events.length).toBe(1)
    isBusy = false
    await run(...options)
    expect(service.events.map((text) => JSON.parse(text)._time)).toEqual([
      '2025-03-14T10:00:00Z',
      '2025-03-04T10:00:00Z',
      '2025-03-05T10:00:00Z',
    ])
  })

  it('sends a replaced file from the beginning', async () => {
    for (const content of ['{"m":1}\n{"m":2}\n{"m":3}\n', '{"m":1}\n', '{"n":1}\n', '']) {
      const { file, run, service } = await scene('{"n":1}\n{"n":2}\n')
      await run()
      writeFileSync(file, content)
      const { err } = await run()
      const lines = content.split('\n').slice(0, -1)
      expect(service.events).toEqual(['{"n":1}', '{"n":2}', ...lines])
      expect(err).toContain(
        `\`${file}\` has changed since it was sent. Sending it from the beginning`,
      )
    }
  })

  it('reports lines that were added to a rotated file and are not sent', async () => {
    const { file, run, service } = await scene('{"n":1}\n')
    await run()
    renameSync(file, `${file}.1`)
    writeFileSync(file, '{"n":2}\n')
    expect((await run()).err).not.toContain(`${file}.1`)
    writeFileSync(file, '{"n":3}\n', { flag: 'a' })
    renameSync(file, `${file}.2`)
    writeFileSync(file, '{"n":4}\n')
    const { err } = await run()
    expect(err).toContain(
      `Its previous content is now in \`${file}.2\`, where lines were added. When this file is named too, only these lines are sent. \`--follow\` also sends such lines.\n`,
    )
    expect(service.events).toEqual(['{"n":1}', '{"n":2}', '{"n":4}'])
    await run(`${file}.2`)
    expect(service.events).toEqual(['{"n":1}', '{"n":2}', '{"n":4}', '{"n":3}'])
  })

  it('reports lines that were added to a copy before the file was truncated', async () => {
    const { file, run, service } = await scene('{"n":1}\n')
    const checkpoint = ['--checkpoint', `${file}.position`]
    await run(...checkpoint)
    writeFileSync(`${file}.1`, '{"n":1}\n{"n":2}\n')
    writeFileSync(file, '{"n":3}\n')
    // The second line begins after the 8 bytes of the first one.
    expect((await run(...checkpoint)).err).toContain(
      `Its previous content is now in \`${file}.1\`, where lines were added that are not sent: \`tail -c +9 ${file}.1\` prints them. \`--follow\` also sends such lines.\n`,
    )
    expect(service.events).toEqual(['{"n":1}', '{"n":3}'])
  })

  it('sends each line of files once that are copied and truncated', async () => {
    const { file, ingest, service } = await scene('{"n":1}\n')
    const names = () => [file, `${file}.1`, `${file}.2`].filter(existsSync)
    const expected = ['{"n":1}']
    await ingest(names())
    for (const n of [2, 4, 6]) {
      const [late, first] = [n, n + 1].map((m) => `{"n":${m}}`)
      writeFileSync(file, `${late}\n`, { flag: 'a' })
      if (existsSync(`${file}.1`)) renameSync(`${file}.1`, `${file}.2`)
      copyFileSync(file, `${file}.1`)
      writeFileSync(file, `${first}\n`)
      await ingest(names())
      expected.push(first!, late!)
      expect(service.events).toEqual(expected)
    }
  })

  it('sends each line of rotated files once, by whatever name', async () => {
    const { file, run, ingest, service } = await scene('{"n":1}\n')
    const rotate = (line: string) => {
      for (const n of [2, 1]) {
        if (existsSync(`${file}.${n}`)) renameSync(`${file}.${n}`, `${file}.${n + 1}`)
      }
      renameSync(file, `${file}.1`)
      writeFileSync(file, line)
    }
    const names = () => [file, `${file}.1`, `${file}.2`, `${file}.3`].filter(existsSync)
    await ingest(names())
    writeFileSync(file, '{"n":2}\n', { flag: 'a' })
    rotate('{"n":3}\n')
    await ingest(names())
    expect(service.events).toEqual(['{"n":1}', '{"n":3}', '{"n":2}'])
    rotate('{"n":4}\n')
    rotate('{"n":5}\n')
    await ingest(names())
    expect(service.events.slice(3)).toEqual(['{"n":5}', '{"n":4}'])
    rmSync(`${file}.3`)
    rotate('{"n":6}\n')
    // The other files are named in a later run.
    await run()
    await ingest(names())
    expect(service.events.slice(5)).toEqual(['{"n":6}'])
  })

  it('sends a file with the same beginning as the rotated one from its start', async () => {
    const { file, run, ingest, service } = await scene('{"banner":1}\n')
    await run()
    writeFileSync(file, '{"n":1}\n', { flag: 'a' })
    renameSync(file, `${file}.1`)
    writeFileSync(file, '{"banner":1}\n{"n":2}\n')
    await ingest([`${file}.1`, file])
    expect(service.events).toEqual(['{"banner":1}', '{"n":1}', '{"banner":1}', '{"n":2}'])
  })

  it.each([1, 2])('keeps rotated files with the same beginning apart, rotated by %s', async (n) => {
    const { file, ingest, service } = await scene('{"banner":1}\n')
    const names = [file, `${file}.1`, `${file}.2`, `${file}.3`]
    const [, first = ''] = names
    renameSync(file, first)
    writeFileSync(file, '{"banner":1}\n')
    await ingest([file, first])
    writeFileSync(file, '{"n":2}\n', { flag: 'a' })
    await ingest([file])
    writeFileSync(first, '{"n":1}\n', { flag: 'a' })
    renameSync(first, `${file}.${1 + n}`)
    renameSync(file, `${file}.${n}`)
    for (const path of names.slice(0, n)) writeFileSync(path, '{"banner":1}\n{"n":3}\n')
    await ingest(names.filter(existsSync))
    const count = (line: string) => service.events.filter((event) => event === line).length
    expect(count('{"banner":1}')).toBe(2 + n)
    expect([1, 2, 3].map((m) => count(`{"n":${m}}`))).toEqual([1, 1, n])
    // Only the second path is named, whose content is now in a rotated file of the same log.
    renameSync(first, `${file}.9`)
    writeFileSync(first, `${readFileSync(`${file}.9`, 'utf8')}{"n":4}\n`)
    await ingest([first])
    expect(count('{"banner":1}')).toBe(3 + n)
  })

  it('sends a renamed file from its start to another dataset', async () => {
    const { file, run, service } = await scene('{"n":1}\n')
    await run()
    renameSync(file, `${file}.1`)
    const io = fakeIo({ env: { EVQ_URL: service.url } })
    expect(await main(['ingest', 'others', `${file}.1`], io)).toBe(0)
    expect(service.events).toEqual(['{"n":1}', '{"n":1}'])
  })

  it('sends everything to another dataset or deployment', async () => {
    const { file, run, service } = await scene('{"n":1}\n')
    await run()
    const io = fakeIo({ env: { EVQ_URL: service.url } })
    expect(await main(['ingest', 'others', file], io)).toBe(0)
    expect(service.events.length).toBe(2)
  })

  it('sends a file once that is named twice', async () => {
    const { file, run, service } = await scene('{"n":1}\n')
    expect((await run(file)).exitCode).toBe(0)
    const link = `${file}.link`
    linkSync(file, link)
    for (const names of [[link], [link, file], [file, link]]) await run(...names)
    expect(service.events).toEqual(['{"n":1}'])
  })

  it('fails when the options differ', async () => {
    const { file, run, service } = await scene('{"n":1}\n')
    await run()
    const { exitCode, err } = await run('--timestamp-field', 'at')
    expect(exitCode).toBe(2)
    expect(err).toBe(
      `evq: \`${file}\` was sent with no \`--timestamp-field\` before, not with \`--timestamp-field at\`. \`--replace\` removes the events stored then and sends it again; \`--no-checkpoint\` sends it again without removing them.\n`,
    )
    expect((await run('-i', 'csv')).exitCode).toBe(2)
    expect((await run('-i', 'ndjson')).exitCode).toBe(0)
    expect(service.events).toEqual(['{"n":1}'])
  })
})

/** Inputs of 200 events by format, and the events that they hold. */
const FORMATS: Readonly<
  Record<string, { bytes: Buffer; events: readonly string[]; name?: string }>
> = {
  NDJSON: {
    bytes: Buffer.from(numbered((n) => `{"n":${n}}`).join('\n\n')),
    events: numbered((n) => `{"n":${n}}`),
  },
  'NDJSON in gzip': {
    bytes: gzipSync(numbered((n) => `{"n":${n}}\r\n`).join('')),
    events: numbered((n) => `{"n":${n}}\r`),
  },
  CSV: {
    bytes: Buffer.from(
      `\ufeffa,b\n${numbered((n) => `${n},"x${'\n'.repeat(n % 3)}"`).join('\n')}\n`,
    ),
    events: numbered((n) => `${n},"x${'\n'.repeat(n % 3)}"`),
  },
  'a JSON array': {
    bytes: Buffer.from(`[\n${numbered((n) => `{"n": [${n}]}`).join(' ,\n ')}]\n`),
    events: numbered((n) => `{"n": [${n}]}`),
  },
  'several JSON arrays': {
    bytes: Buffer.from(numbered((n) => `[{"n":${n}}]${n % 2 ? '\n' : ''}`).join('')),
    events: numbered((n) => `{"n":${n}}`),
  },
  'JSON objects': {
    bytes: Buffer.from(numbered((n) => `{\n "n": ${n}\n}`).join('\n')),
    events: numbered((n) => `{  "n": ${n} }`),
  },
}

describe('after an interrupted run', () => {
  it.each(Object.keys(FORMATS))('the rest of %s is sent in other batches', async (name) => {
    const { bytes, events } = FORMATS[name]!
    // The service stores what its answers are no word about: only the ids keep it from being stored twice.
    let runs = 1
    const { run, service } = await scene(bytes, {
      knowsBatchIds: true,
      mishap: (request) => (request > 8 && runs === 1 ? 'garbage' : 'none'),
    })
    const first = await run('--batch-size', '7', '--concurrency', '3')
    expect(first.exitCode).toBe(3)
    expect(service.events.length).toBeLessThan(200)
    runs = 2
    const second = await run('--batch-size', '50')
    expect(second.exitCode).toBe(0)
    expect([...service.events].sort()).toEqual([...events].sort())
    expect((await run()).err).toContain('has no new events: its 200 events were sent before')
  })
})

describe('after a run whose rejects file could not be written', () => {
  it(
    'sends the events that were not sent',
    needs(existsSync('/dev/full'), '/dev/full'),
    async () => {
      const isBad = (event: string) => event.includes('bad')
      const { run, service } = await scene('{"n":1}\n{"bad":2}\n{"n":3}\n', { isBad })
      const { exitCode, err } = await run('--batch-size', '2', '--rejects', '/dev/full')
      expect(exitCode).toBe(1)
      expect(err).toContain("Stopped early: `/dev/full` can't be written: no space left on device.")
      expect(service.events).toEqual(['{"n":1}'])
      await run()
      expect(service.events).toContain('{"n":3}')
    },
  )

  it('ends when a file is named twice', needs(existsSync('/dev/full'), '/dev/full'), async () => {
    const isBad = (event: string) => event.includes('bad')
    const { file, ingest, service } = await scene('{"bad":1}\n', { isBad })
    const first = `${file}.first`
    writeFileSync(first, '{"n":1}\n')
    const { exitCode } = await ingest([first, file, file, '--rejects', '/dev/full'])
    expect(exitCode).toBe(1)
    expect(service.events).toEqual(['{"n":1}'])
  })
})

describe('the local service', () => {
  it('gets everything again after its data directory was deleted', async () => {
    const { file } = await scene('{"n":1}\n{"n":2}\n')
    const directory = join(scratch, 'data')
    const stored = /logs: 2 events stored/
    expect((await evq(['ingest', 'logs', file], { directory })).stderr).toMatch(stored)
    expect((await evq(['ingest', 'logs', file], { directory })).stderr).toContain('no new events')
    rmSync(directory, { recursive: true })
    expect((await evq(['ingest', 'logs', file], { directory })).stderr).toMatch(stored)
    const { stdout } = await evq(['query', "['logs'] | count", '-o', 'csv'], { directory })
    expect(stdout).toMatch(/\b2\r?\n$/)
  })
})

describe('a receipt', () => {
  it('covers the whole file, including what earlier runs sent', async () => {
    const bad = (event: string) => event.includes('bad')
    const { file, run } = await scene('{"n":1}\n{"bad":2}\n', { isBad: bad })
    await run()
    writeFileSync(file, '{"n":3}\n', { flag: 'a' })
    const receipt = `${file}.receipt`
    await run('--receipt', receipt)
    const {
      files: [told],
      complete,
    } = JSON.parse(readFileSync(receipt, 'utf8'))
    expect(told).toMatchObject({ read: 3, accepted: 2, rejected: 1, bytes: 26 })
    expect(complete).toBe(true)
  })
})

describe('a file that has grown', () => {
  it('resumes with the same batches after a second interruption', async () => {
    let isRough = false
    const { file, run, service } = await scene('{"n":1}\n', {
      knowsBatchIds: true,
      mishap: () => (isRough ? 'garbage' : 'none'),
    })
    await run()
    writeFileSync(file, '{"n":2}\n{"n":3}\n', { flag: 'a' })
    isRough = true
    expect((await run()).exitCode).toBe(1)
    isRough = false
    const { exitCode, err } = await run('--batch-size', '1')
    expect(exitCode).toBe(0)
    expect(err).toContain(`${file}: 2 events had no response when the last run ended`)
    expect(service.events).toEqual(['{"n":1}', '{"n":2}', '{"n":3}'])
    expect((await run()).err).toContain('its 3 events were sent before')
  })
})

describe('a batch that the service had no room for', () => {
  it('is sent again and is known not to be stored', async () => {
    let isBusy = true
    const { file, run, service } = await scene('{"n":1}\n{"n":2}\n{"n":3}\n', {
      mishap: (request) => (isBusy && request > 0 ? '429' : 'none'),
    })
    const stopped = await run('--batch-size', '1', '--concurrency', '1')
    expect(stopped.exitCode).toBe(3)
    expect(stopped.err).toContain(
      `\`${file}\` was read up to event 3: the same command resumes with the rest.\n`,
    )
    isBusy = false
    const { exitCode, err } = await run()
    expect(exitCode).toBe(0)
    expect(err).toMatch(/^logs: 2 events stored/)
    expect(service.events).toEqual(['{"n":1}', '{"n":2}', '{"n":3}'])
  })

  it('stays in doubt when an earlier run had no response', async () => {
    let mishap: Mishap = 'garbage'
    const { file, run, service } = await scene('{"n":1}\n', {
      knowsBatchIds: true,
      mishap: () => mishap,
    })
    await run()
    mishap = '429'
    expect((await run()).exitCode).toBe(1)
    mishap = 'none'
    const { err } = await run()
    expect(err).toContain(`${file}: 1 event had no response when the last run ended`)
    expect(service.events).toEqual(['{"n":1}'])
  })
})

describe('an incomplete last line', () => {
  it('is sent again when it was rejected and is complete now', async () => {
    const { file, run, service } = await scene('{"n":1}\n{"n":2,"bad', {
      isBad: (event) => event.endsWith('bad'),
    })
    expect((await run()).exitCode).toBe(3)
    writeFileSync(file, '":0}\n{"n":3}\n', { flag: 'a' })
    const { exitCode, err } = await run()
    expect(exitCode).toBe(0)
    expect(err).toMatch(/^logs: 2 events stored/)
    expect(service.events).toEqual(['{"n":1}', '{"n":2,"bad":0}', '{"n":3}'])
  })

  it('is not sent again when only its line break was missing', async () => {
    const { file, run, service } = await scene('{"n":1}\n{"n":2}')
    await run()
    writeFileSync(file, '\n{"n":3}', { flag: 'a' })
    await run()
    writeFileSync(file, '\r\n', { flag: 'a' })
    const { err } = await run()
    expect(service.events).toEqual(['{"n":1}', '{"n":2}', '{"n":3}'])
    expect(err).toContain('has no new events: its 3 events were sent before')
  })

  it('is followed by its rest when it was stored, with a warning', async () => {
    const { file, run, service } = await scene('one\ntw', {})
    await run('-i', 'ndjson', '--strict-input')
    writeFileSync(file, 'o\nthree\n', { flag: 'a' })
    const { err } = await run('-i', 'ndjson', '--strict-input')
    expect(service.events).toEqual(['one', 'tw', 'o', 'three'])
    expect(err).toContain(`${file}:2: this line was sent while it was incomplete`)
  })
})

describe('standard input', () => {
  it('has no automatic checkpoint', async () => {
    const { service, pipe } = await scene('')
    await pipe('{"n":1}\n')
    await pipe('{"n":1}\n')
    expect(service.events.length).toBe(2)
  })

  it('resumes after what was sent, with --checkpoint', async () => {
    const { file, service, pipe } = await scene('')
    await pipe('{"n":1}\n{"n":2}\n', '--checkpoint', `${file}.checkpoint`)
    await pipe('{"n":1}\n{"n":2}\n{"n":3}\n', '--checkpoint', `${file}.checkpoint`)
    expect(service.events).toEqual(['{"n":1}', '{"n":2}', '{"n":3}'])
  })

  it('is sent from the beginning when it has changed', async () => {
    const { file, service, pipe } = await scene('')
    await pipe('{"n":1}\n', '--checkpoint', `${file}.checkpoint`)
    const { err } = await pipe('{"m":1}\n{"m":2}\n', '--checkpoint', `${file}.checkpoint`)
    expect(service.events).toEqual(['{"n":1}', '{"m":1}', '{"m":2}'])
    expect(err).toContain('Standard input has changed since it was sent')
  })
})

describe('a checkpoint', () => {
  it('takes one input', async () => {
    const { file, run, service } = await scene('{"n":1}\n')
    const { exitCode, err } = await run(file, '--checkpoint', `${file}.checkpoint`)
    expect(exitCode).toBe(2)
    expect(err).toContain('`--checkpoint` takes one input.')
    expect(service.events).toEqual([])
  })

  it('is not waited for where its directory cannot be created', needsLinux, async () => {
    const { file, service } = await scene('{"n":1}\n')
    const io = fakeIo({ env: { EVQ_URL: service.url, XDG_STATE_HOME: '/proc/evq' } })
    expect(await main(['ingest', 'logs', file], io)).toBe(0)
    expect(io.err()).toMatch(
      /^The checkpoint `\/proc\/evq\/evq\/checkpoints\/\w+\.ndjson` can't be used: no such file or directory\./,
    )
    expect(service.events).toEqual(['{"n":1}'])
  })

  it('is not a device, which a user must not be told to delete', async () => {
    const { run, service } = await scene('{"n":1}\n')
    const { exitCode, err } = await run('--checkpoint', '/dev/null')
    expect(exitCode).toBe(1)
    expect(err).toBe(
      'evq: `/dev/null` is a device or a pipe. A checkpoint is a file, which evq creates.\n',
    )
    expect(service.events).toEqual([])
  })

  it.each([
    ['empty', () => ''],
    ['a line feed', () => '\n'],
    ['half', (text: string) => text.slice(0, text.length / 2)],
    ['without its last byte', (text: string) => text.slice(0, -1)],
    ['its first bytes', (text: string) => text.slice(0, 30)],
  ])('is not taken for a new one when it is damaged: %s', async (_, damage) => {
    const { file, run, service } = await scene('{"n":1}\n{"n":2}\n')
    const path = `${file}.checkpoint`
    await run('--checkpoint', path)
    const whole = readFileSync(path, 'utf8')
    writeFileSync(path, damage(whole))
    for (const replace of [[], ['--replace']]) {
      const { exitCode, err } = await run('--checkpoint', path, ...replace)
      expect(exitCode).toBe(1)
      expect(err).toContain(
        `\`${path}\` is not a checkpoint, or not a complete one, so it is not known which events were sent.`,
      )
      expect(err).toContain(
        'Restore it, and the same command resumes; or delete it, if it is a checkpoint,',
      )
      expect(readFileSync(path, 'utf8')).toBe(damage(whole))
    }
    writeFileSync(path, whole)
    expect((await run('--checkpoint', path)).exitCode).toBe(0)
    expect(service.events.length).toBe(2)
  })

  it('is not overwritten when it is another file', async () => {
    const { run, service } = await scene('{"n":1}\n')
    const notes = join(scratch, 'notes')
    writeFileSync(notes, 'milk, bread\n')
    const { exitCode, err } = await run('--checkpoint', notes)
    expect(exitCode).toBe(1)
    expect(err).toContain(`\`${notes}\` is not a checkpoint, or not a complete one,`)
    expect(readFileSync(notes, 'utf8')).toBe('milk, bread\n')
    expect(service.events).toEqual([])
  })

  it('is not used for another dataset', async () => {
    const { file, run, service } = await scene('{"n":1}\n')
    await run('--checkpoint', `${file}.checkpoint`)
    const io = fakeIo({ env: { EVQ_URL: service.url } })
    const args = ['ingest', 'others', file, '--checkpoint', `${file}.checkpoint`]
    expect(await main(args, io)).toBe(2)
    expect(io.err()).toContain('is the checkpoint of another destination: dataset `logs`')
  })

  it('is not used for another input', async () => {
    const { file, run, ingest, service } = await scene('{"n":1}\n')
    const path = `${file}.checkpoint`
    const other = `${file}.other`
    writeFileSync(other, '{"n":2}\n')
    await run('--checkpoint', path)
    const kept = readFileSync(path, 'utf8')
    for (const flags of [[], ['--replace'], ['--follow']]) {
      const { exitCode, err } = await ingest([other, '--checkpoint', path, ...flags])
      expect(exitCode).toBe(2)
      expect(err).toBe(
        `evq: \`${path}\` is the checkpoint of \`${file}\`, and \`${other}\` has other content. Nothing was sent. Each input needs a \`--checkpoint\` file of its own; without the flag, files have automatic checkpoints.\n`,
      )
    }
    expect((await ingest(['--checkpoint', path], '{"n":3}\n')).err).toContain(
      `is the checkpoint of \`${file}\`, and standard input has other content.`,
    )
    expect(readFileSync(path, 'utf8')).toBe(kept)
    await run('--checkpoint', path)
    expect(service.events).toEqual(['{"n":1}'])
  })

  it('is used for the same file by another name, and for what a link refers to', async () => {
    const { file, run, ingest, service } = await scene('{"n":1}\n')
    const path = `${file}.checkpoint`
    await run('--checkpoint', path)
    const renamed = `${file}.1`
    renameSync(file, renamed)
    writeFileSync(renamed, '{"n":2}\n', { flag: 'a' })
    expect((await ingest([renamed, '--checkpoint', path])).exitCode).toBe(0)
    const link = `${file}.current`
    symlinkSync(renamed, link)
    expect((await ingest([link, '--checkpoint', path])).exitCode).toBe(0)
    expect(service.events).toEqual(['{"n":1}', '{"n":2}'])
    const next = `${file}.next`
    writeFileSync(next, '{"n":3}\n')
    rmSync(link)
    symlinkSync(next, link)
    expect((await ingest([link, '--checkpoint', path])).exitCode).toBe(0)
    expect(service.events).toEqual(['{"n":1}', '{"n":2}', '{"n":3}'])
  })

  it('is optional when automatic and required when named', async () => {
    const { file, run, service } = await scene('{"n":1}\n')
    const env = { EVQ_URL: service.url, XDG_STATE_HOME: file }
    const io = fakeIo({ env })
    expect(await main(['ingest', 'logs', file], io)).toBe(0)
    expect(io.err()).toMatch(/^The checkpoint `.*` can't be used: .*\nlogs: 1 event stored/)
    const asked = await run('--checkpoint', join(file, 'x'))
    expect(asked.exitCode).toBe(1)
    expect(service.events.length).toBe(1)
  })

  it('is locked by one run at a time', async () => {
    const { file, run, service } = await scene('{"n":1}\n', {
      mishap: () => 'slow',
      slowMs: 600_000,
    })
    const path = `${file}.checkpoint`
    const args = ['ingest', 'logs', file, '--checkpoint', path]
    const other = start(args, { directory: scratch, env: { EVQ_URL: service.url } })
    await until(() => service.requests, 'a request is received')
    const { exitCode, err } = await run('--checkpoint', path)
    expect(exitCode).toBe(1)
    expect(err).toContain(`Another evq process (${other.child.pid}) is sending this input`)
    other.child.kill('SIGKILL')
    await other.ended
  })

  it('does not wait for a run that sends the file to another dataset', async () => {
    const { file, service } = await scene('{"n":1}\n')
    const state = `${file}.state`
    const ingest = async (dataset: string) => {
      const io = fakeIo({ env: { EVQ_URL: service.url, XDG_STATE_HOME: state } })
      const exitCode = await main(['ingest', dataset, file, '-q'], io)
      return { exitCode, err: io.err() }
    }
    await ingest('other')
    const directory = join(state, 'evq/checkpoints')
    const [checkpoint = ''] = readdirSync(directory)
    const held = await lock(join(directory, `${checkpoint}.lock`))
    expect(await ingest('logs')).toEqual({ exitCode: 0, err: '' })
    held?.release()
    expect(service.events).toEqual(['{"n":1}', '{"n":1}'])
  })
})

async function scene(content: string | Buffer, options: RoughOptions = {}) {
  const service = await roughService(options)
  files += 1
  const file = join(scratch, `${files}.log`)
  writeFileSync(file, content)
  async function ingest(args: readonly string[], stdin?: string) {
    const io = fakeIo({ env: { EVQ_URL: service.url }, ...(stdin !== undefined && { stdin }) })
    const exitCode = await main(['ingest', 'logs', ...args], io)
    return { exitCode, err: io.err() }
  }
  return {
    file,
    service,
    ingest,
    run: (...args: readonly string[]) => ingest([file, ...args]),
    pipe: (stdin: string, ...args: readonly string[]) => ingest(args, stdin),
  }
}

function numbered(one: (n: number) => string): readonly string[] {
  return Array.from({ length: 200 }, (_, n) => one(n))
}
