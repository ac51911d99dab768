import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { main } from '../../src/main.js'
import { fakeIo } from '../support/fake-io.js'
import { type Foreign, type ForeignEvent, foreignService } from '../support/foreign-service.js'
import { temporaryDirectory } from '../support/temporary.js'

const service = await foreignService()
const scratch = temporaryDirectory()
const T0 = 1_760_000_000_000_000_000n
const SECOND = 1_000_000_000n

let folder = ''
let number = 0

beforeEach(() => {
  folder = join(scratch, String(number++))
  mkdirSync(folder)
})

/** Events at these seconds, each with a distinct string. */
function at(...seconds: readonly number[]): ForeignEvent[] {
  return seconds.map((second, i) => ({ time: T0 + BigInt(second) * SECOND, text: `e${i}` }))
}

function file(name: string): string {
  return join(folder, name)
}

async function page(args: readonly string[], { now }: { now?: number } = {}) {
  const io = fakeIo({ env: { EVQ_URL: service.url }, ...(now && { now }) })
  const exitCode = await main(['page', "['logs']", ...args], io)
  const texts = io.out().match(/(?<="text":")[^"]*/g) ?? []
  return { exitCode, out: io.out(), err: io.err(), texts }
}

/** An export to a file that can be resumed. */
function resumableArgs(name: string): readonly string[] {
  return ['-O', file(name), '--checkpoint', file(`${name}.state`)]
}

/** Runs an export that fails at a request. */
async function failing(args: readonly string[], request: number, foreign: Foreign) {
  service.become({ ...foreign, before: (n) => (n === request ? 404 : undefined) })
  expect((await page(args)).exitCode).toBe(1)
  service.become(foreign)
}

describe('an interrupted export', () => {
  it.each(['csv', 'tsv', 'ndjson', 'json'])(
    'is moved to the output file when it was interrupted after its last byte: %s',
    async (format) => {
      const name = `a.${format}`
      service.become({ events: at(1, 2, 3) })
      await page([...resumableArgs(name), '--page-size', '2'])
      const whole = readFileSync(file(name), 'utf8')
      renameSync(file(name), file(`${name}.part`))
      expect((await page([...resumableArgs(name), '--page-size', '2'])).exitCode).toBe(0)
      expect(readFileSync(file(name), 'utf8')).toBe(whole)
      expect(readdirSync(folder).toSorted()).toEqual([name, `${name}.state`])
    },
  )

  it('remembers the columns missing from its file, also when complete', async () => {
    const args = [...resumableArgs('a.csv'), '--page-size', '1', '--by', 'cursor']
    const foreign = { events: at(1, 2, 3, 4), cursors: 'given' as const }
    await failing(args, 3, { ...foreign, grownAt: 2 })
    for (const words of [
      '4 rows (all matching)',
      'ended with 4 rows; without its checkpoint, the export starts over',
    ]) {
      service.become(foreign)
      const { exitCode, err } = await page(args)
      expect(exitCode).toBe(3)
      expect(err).toContain('The file lacks `extra`')
      expect(err).toContain(words)
    }
  })

  it('says what it lacks when it is run again after it ended', async () => {
    service.become({ events: at(1, 2, 3), isPartial: true })
    const args = resumableArgs('a.csv')
    for (const words of ['3 rows', 'ended with 3 rows; without its checkpoint']) {
      const { exitCode, err } = await page(args)
      expect(exitCode).toBe(3)
      expect(err).toContain('The export is partial: the service could not examine all data.\n')
      expect(err).toContain(words)
    }
  })

  it('keeps the end of its range, whatever the current time', async () => {
    const args = [...resumableArgs('a.ndjson'), '--page-size', '1', '--since', '300d']
    await failing(args, 2, { events: at(1, 2, 3) })
    for (const now of [Date.UTC(2020, 0, 1), Date.UTC(2030, 0, 1)]) {
      service.become({ events: at(1, 2, 3), before: (n) => (n === 2 ? 404 : undefined) })
      await page(args, { now })
      expect(service.requests[0]?.startTime).toBe('2025-04-06T12:00:00Z')
    }
    service.become({ events: at(1, 2, 3) })
    expect((await page(args)).exitCode).toBe(0)
  })

  it.each(['while it went on', 'when it was done'])(
    'starts over with another range when its file was removed %s',
    async (when) => {
      const args = [...resumableArgs('a.ndjson'), '--page-size', '1']
      if (when === 'when it was done') {
        service.become({ events: at(1, 2, 3) })
        await page(args)
        rmSync(file('a.ndjson'))
      } else {
        await failing(args, 3, { events: at(1, 2, 3) })
        rmSync(file('a.ndjson.part'))
      }
      service.become({ events: at(1, 2, 3) })
      const { exitCode, err } = await page(args, { now: Date.UTC(2027, 0, 1) })
      expect(exitCode).toBe(0)
      expect(err).toContain('has changed since the checkpoint, so the export starts over.')
      expect(service.requests[0]).toMatchObject({ endTime: '2027-01-01T00:00:00Z' })
      expect(readFileSync(file('a.ndjson'), 'utf8').split('\n')).toHaveLength(4)
    },
  )

  it('reports after a failure how many rows are on standard output', async () => {
    const events = at(1, 2, 3, 4, 5, 6)
    service.become({ events, cursors: 'given', before: (n) => (n === 3 ? 403 : undefined) })
    const { texts, err } = await page(['--page-size', '2', '--by', 'cursor', '-o', 'ndjson'])
    expect(texts).toHaveLength(4)
    expect(err).toMatch(/^stopped after 4 rows\nevq: No\. /)
  })

  it('reports the message of the service about an expired cursor', async () => {
    const args = [...resumableArgs('a.csv'), '--page-size', '1', '--by', 'cursor']
    const foreign = { events: at(1, 2, 3, 4), cursors: 'given' as const }
    await failing(args, 3, foreign)
    const before = readFileSync(file('a.csv.state'), 'utf8')
    service.become({ ...foreign, before: () => 400 })
    expect(await page(args)).toMatchObject({ exitCode: 2, err: expect.stringContaining('No.') })
    expect(readFileSync(file('a.csv.state'), 'utf8')).toBe(before)
  })
})

describe('a checkpoint', () => {
  it.each([
    '{"kind":"page","version":1}',
    '{"kind":"page","version":1,"export":{}}',
    '{"kind":"page","version":2}',
    'null',
    '[]',
    '',
  ])('that is %j is no checkpoint, and is left alone', async (text) => {
    service.become({ events: at(1) })
    writeFileSync(file('a.csv.state'), text)
    const { exitCode, err } = await page(resumableArgs('a.csv'))
    expect([exitCode, err]).toEqual([2, expect.stringContaining('is not the checkpoint of an')])
    expect(readFileSync(file('a.csv.state'), 'utf8')).toBe(text)
    expect(service.requests).toEqual([])
  })

  it.each(['export', 'end', 'bytes', 'written', 'progress', 'position'])(
    'is invalid without its `%s`',
    async (name) => {
      const args = [...resumableArgs('a.csv'), '--page-size', '1']
      await failing(args, 3, { events: at(1, 2, 3) })
      const saved = JSON.parse(readFileSync(file('a.csv.state'), 'utf8'))
      for (const value of [undefined, null]) {
        writeFileSync(file('a.csv.state'), JSON.stringify({ ...saved, [name]: value }))
        const { exitCode, err } = await page(args)
        expect([exitCode, err]).toEqual([2, expect.stringContaining('is not the checkpoint of an')])
      }
    },
  )

  it.each([
    [['-O', 'x.csv', '--checkpoint', 'x.csv'], '--checkpoint'],
    [['-O', 'x.csv', '--checkpoint', 'x.csv.part'], '--checkpoint'],
    [['-O', 'x.csv', '--manifest', 'x.csv'], '--manifest'],
    [['-O', 'x.csv', '--checkpoint', './y', '--manifest', 'y'], '--manifest'],
    [['-O', 'x.csv', '--checkpoint', 'y', '--manifest', 'x.csv.part'], '--manifest'],
  ])('needs a file of its own: %j', async (args, flag) => {
    service.become({ events: at(1) })
    const named = args.map((arg) => (arg.startsWith('-') ? arg : file(arg)))
    const { exitCode, err } = await page(named)
    expect([exitCode, err]).toEqual([2, expect.stringContaining(`\`${flag}\` names`)])
    expect(readdirSync(folder)).toEqual([])
  })
})

describe('a service during an export', () => {
  it.each([
    ['time', 'asc', 0, 0],
    ['time', 'asc', 5, 3],
    ['time', 'desc', 0, 3],
    ['time', 'desc', 5, 0],
    ['cursor', 'asc', 5, 3],
    ['cursor', 'desc', 5, 0],
  ])(
    'may lose an event: by %s, %s, request %i, exit code %i',
    async (by, direction, index, expected) => {
      const events = at(1, 2, 2, 2, 3, 4)
      service.become({
        events,
        cursors: 'given',
        before(request) {
          if (request === 3) events.splice(index, 1)
          return undefined
        },
      })
      const args = ['--by', by, '--direction', direction, '--page-size', '1']
      const { exitCode, texts, err } = await page(args)
      const all = ['e0', 'e1', 'e2', 'e3', 'e4', 'e5']
      const wanted = expected === 0 ? all : all.filter((text) => text !== `e${index}`)
      expect({ exitCode, texts: texts.toSorted() }).toEqual({ exitCode: expected, texts: wanted })
      if (expected === 3)
        expect(err).toContain(
          '5 rows received, but the service reports 6 matching: 1 is missing, or arrived during the export.',
        )
    },
  )

  it.each([
    ['whole', {}, 0],
    ['cut, with cursors', { cap: 1, cursors: 'given' }, 0],
    ['cut, with cursors and no counts', { cap: 2, cursors: 'given', isTold: false }, 0],
    ['cut, without cursors', { cap: 1 }, 1],
    ['whole, without any count', { isTold: false, canCount: false }, 3],
  ] as const)('may have five pages of one instant: %s', async (_, how, expected) => {
    service.become({ events: at(1, 1, 1, 1, 1), ...how })
    const { exitCode, texts } = await page(['--page-size', '1'])
    expect(exitCode).toBe(expected)
    if (expected !== 1) expect(texts.toSorted()).toEqual(['e0', 'e1', 'e2', 'e3', 'e4'])
  })

  it.each([
    [true, 3, '4 matched'],
    [true, 4, '4 rows (all matching)'],
    [true, 5, '4 rows (all matching)'],
    [false, 3, 'there may be more'],
    [false, 4, 'there may be more'],
    [false, 5, '4 rows in'],
  ])('may count its rows (%j), of which %i are wanted: %s', async (isTold, most, words) => {
    for (const by of ['time', 'cursor']) {
      service.become({ events: at(1, 2, 3, 4), isTold, cursors: 'given' })
      const args = ['--max-rows', String(most), '--page-size', '2', '--by', by]
      const { exitCode, texts, err } = await page(args)
      expect([exitCode, texts.length]).toEqual([0, Math.min(most, 4)])
      expect(err).toContain(words)
    }
  })

  it('includes the start of the range and excludes its end', async () => {
    for (const by of ['time', 'cursor']) {
      service.become({ events: at(1, 2, 3), cursors: 'given' })
      const range = ['--since', '2025-10-09T10:53:21', '--until', '2025-10-09T10:53:23']
      const args = [...range, '-z', 'Europe/Berlin', '--by', by, '--page-size', '1']
      const { out } = await page(args)
      expect(out).toBe(
        '{"_time":"2025-10-09T10:53:22+02:00","text":"e1"}\n{"_time":"2025-10-09T10:53:21+02:00","text":"e0"}\n',
      )
    }
  })
})
