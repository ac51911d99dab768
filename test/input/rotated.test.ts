import { appendFileSync, mkdirSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type FileIdentity, identityOf, type OpenInput } from '../../src/input/open.js'
import {
  logOf,
  openFileOfLog,
  openNextFileOfLog,
  rotatedFiles,
  searchesOf,
  unreadableFiles,
} from '../../src/input/rotated.js'
import { temporaryDirectory } from '../support/temporary.js'
import { until } from '../support/until.js'

const scratch = temporaryDirectory()
const inputs = new Set<OpenInput>()
let logs = 0

afterEach(async () => {
  for (const { bytes } of inputs) await bytes.close()
  inputs.clear()
})

describe('the files of a log', () => {
  it('are opened in the order in which they were written, whatever their names are now', async () => {
    const { log, rotate, opened } = scene()
    const first = rotate(4)
    expect(await opened(openSame, first)).toEqual(first)
    const second = rotate(3)
    const third = rotate(2)
    const fourth = rotate(1)
    const current = identityOf(statSync(log))
    expect(await opened(openSame, first)).toEqual(first)
    expect(await opened(openNext, first)).toEqual(second)
    expect(await opened(openNext, second)).toEqual(third)
    expect(await opened(openNext, third)).toEqual(fourth)
    expect(await opened(openNext, fourth)).toEqual(current)
  })

  it('are read for a moment longer when the next one exists', async () => {
    const { log, rotate } = scene()
    appendFileSync(log, 'begun,')
    const file = rotate(1)
    const input = await openFileOfLog(log, { file }, following)
    inputs.add(input!)
    expect(await textOf(input)).toBe('begun,')
    // It has not ended.
    expect(input?.bytes.ready()).toBeInstanceOf(Promise)
    appendFileSync(`${log}.1`, 'ended')
    expect(await textOf(input)).toBe('ended')
    expect(await textOf(input)).toBe('')
  })

  it('begin with the current one when the last one was removed or truncated', async () => {
    const { log, rotate, opened } = scene()
    rotate(1)
    const current = identityOf(statSync(log))
    const gone = { ...current, inode: -1 }
    expect(await opened(openSame, gone)).toEqual(current)
    expect(await opened(openNext, gone)).toEqual(current)
    expect(await opened(openNext, current)).toEqual(current)
  })

  it('after one that was removed are those that were written later', async () => {
    const { log, rotate } = scene()
    rotate(2)
    const second = rotate(1)
    const gone = { file: { ...second, inode: -1 }, writtenAt: 1_001_000 }
    const opened = await openNextFileOfLog(log, gone, following)
    inputs.add(opened!)
    expect(opened?.file).toEqual(second)
  })

  it('have the names that programs give them', async () => {
    const log = join(scratch, 'named', 'app.log')
    mkdirSync(join(scratch, 'named'))
    const rotated = [
      ...['app.log.1', 'app.log-20260131', 'app.log.2026-01-31'],
      // `extension .log` of logrotate, lumberjack, Logback, and winston.
      ...['app-20260131.log', 'app-2026-01-31T10-00-00.000.log', 'app.2026-01-31.0.log'],
      'app-2026-01-31-10.log',
    ]
    // The documentation of log4j2 has the month first.
    rotated.push('app-01-31-2026-1.log')
    const others = ['app.log', 'app.log.old', 'app-1.log', 'app.2.log', 'app2-20260131.log']
    for (const name of [...rotated, ...others, 'app-20260131.log.gz']) {
      writeFileSync(join(scratch, 'named', name), '')
    }
    const found = (await rotatedFiles(log)).map(({ path }) => basename(path))
    expect(found.toSorted()).toEqual(rotated.toSorted())
    expect(rotated.map(logOf)).toEqual(rotated.map(() => 'app.log'))
    expect(logOf('app-20260131.log.gz')).toBe('app.log')
  })

  it('may be compressed, in a directory next to it, or have a number like that of a process', async () => {
    const folder = join(scratch, 'wide')
    mkdirSync(join(folder, 'old'), { recursive: true })
    const certain = ['app.log.1', 'app.log.2.gz', 'app-2026-01-31-1.log.zst']
    const possible = ['app-1.log', 'app.2.log.gz', 'old/app.log.3.gz', 'old/app.log.4']
    // The first one is complete: the other is being made of it.
    const others = ['app.log', 'app.log.1.gz', 'app.log.2.xz', 'app.log.old.gz', 'app2.log.1.gz']
    const old = new Date(Date.now() - 60_000)
    for (const name of [...certain, ...possible, ...others]) {
      writeFileSync(join(folder, name), '')
      utimesSync(join(folder, name), old, old)
    }
    const found = await searchesOf(following)[1](join(folder, 'app.log'))
    const namesOf = (isCertain: boolean) =>
      found
        .filter((one) => one.isCertain === isCertain)
        .map(({ path }) => relative(folder, path))
        .toSorted()
    expect(namesOf(true)).toEqual(certain.toSorted())
    expect(namesOf(false)).toEqual(possible.toSorted())
    const unreadable = await unreadableFiles(join(folder, 'app.log'))
    expect(unreadable.map(({ path }) => basename(path))).toEqual(['app.log.2.xz'])
  })

  it('are in the order of their dates when compression has changed their times', async () => {
    const folder = join(scratch, 'dated')
    mkdirSync(folder)
    const names = ['9.log.gz', '10.log.gz', '11.log'].map((end) => `app-2026-01-31-${end}`)
    for (const [age, name] of names.entries()) {
      writeFileSync(join(folder, name), '')
      utimesSync(join(folder, name), 1_000, 2_000 - age)
    }
    const found = await searchesOf(following)[1](join(folder, 'app.log'))
    expect(found.map(({ path }) => basename(path))).toEqual(names)
  })

  it('have the names that svlogd, multilog and s6-log give to `current`', async () => {
    const folder = join(scratch, 'service')
    mkdirSync(folder)
    // The second one was not finished: multilog was killed.
    const rotated = ['@400000006981a2b50eb8f1ac.s', '@400000006981a2c60b532b80.u']
    for (const name of [...rotated, 'current', 'config', 'lock', 'state']) {
      writeFileSync(join(folder, name), '')
    }
    const namesOf = async (log: string) =>
      (await rotatedFiles(join(folder, log))).map(({ path }) => basename(path)).toSorted()
    expect(await namesOf('current')).toEqual(rotated)
    expect(await namesOf('state')).toEqual([])
  })

  it('with the same time of modification are in the order of their creation', async () => {
    const { log } = scene()
    writeFileSync(`${log}.2`, 'first')
    // The clock of the file system has ticks.
    await until(
      () => {
        renameSync(log, `${log}.unused`)
        writeFileSync(log, 'second')
        return statSync(log).birthtimeMs > statSync(`${log}.2`).birthtimeMs
      },
      () => 'a file with a later time of creation',
    )
    renameSync(log, `${log}.1`)
    for (const path of [`${log}.1`, `${log}.2`]) utimesSync(path, 1_000, 1_000)
    const paths = (await rotatedFiles(log)).map(({ path }) => path)
    expect(paths).toEqual([`${log}.2`, `${log}.1`])
  })

  it.each([
    ['the largest is the oldest', [], ['3.gz', '2.gz', '1']],
    ['the smallest is the oldest, if other files show it', ['1', '2'], ['1', '2', '3.gz', '4.gz']],
    ['ten is more than nine', [], ['10.gz', '9.gz', '8.gz']],
  ])(
    'with the same time of modification are in the order of their numbers when they are compressed: %s',
    async (_, older, ends) => {
      const { log } = scene()
      // Created in the opposite order, as by compression of the newest one first.
      for (const end of ends.toReversed()) {
        writeFileSync(`${log}.${end}`, '')
        const at = older.includes(end) ? 900 + Number(end) : 1_000
        utimesSync(`${log}.${end}`, at, at)
      }
      const found = await searchesOf(following)[0](log)
      expect(found.map(({ path }) => path)).toEqual(ends.map((end) => `${log}.${end}`))
    },
  )
})

/** Reads the next bytes of an input. */
async function textOf(input: OpenInput | undefined): Promise<string> {
  const target = Buffer.alloc(100)
  const length = await input?.bytes.read(target)
  return target.toString('latin1', 0, length)
}

type Opening = (
  log: string,
  file: FileIdentity,
  options: typeof following,
) => Promise<OpenInput | undefined>

const following = { signal: new AbortController().signal }

const openSame: Opening = (log, file, options) => openFileOfLog(log, { file }, options)

const openNext: Opening = (log, file, options) => openNextFileOfLog(log, { file }, options)

function scene() {
  logs += 1
  const log = join(scratch, `${logs}.log`)
  writeFileSync(log, '')
  let rotations = 0
  return {
    log,
    /** Renames the current file, begins another, and returns the identity of the renamed one. */
    rotate(number: number): FileIdentity {
      const path = `${log}.${number}`
      renameSync(log, path)
      rotations += 1
      utimesSync(path, 1_000, 1_000 + rotations)
      appendFileSync(log, '')
      return identityOf(statSync(path))
    },
    async opened(open: Opening, file: FileIdentity): Promise<FileIdentity | undefined> {
      const input = await open(log, file, following)
      if (input !== undefined) inputs.add(input)
      return input?.file
    },
  }
}
