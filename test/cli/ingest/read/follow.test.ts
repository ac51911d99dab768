import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { start } from '../../../support/evq.js'
import { needs, needsLinux } from '../../../support/needs.js'
import { type Mishap, type RoughOptions, roughService } from '../../../support/rough-service.js'
import { temporaryDirectory } from '../../../support/temporary.js'
import { until } from '../../../support/until.js'

const needsUser = needs(process.getuid?.() !== 0, 'a user other than root')
const scratch = temporaryDirectory()
const running = new Set<ReturnType<typeof start>>()
let files = 0

afterEach(async () => {
  for (const { kill } of running) await kill()
  running.clear()
})

describe('a followed file', () => {
  it('is sent, and then each complete line that is added', async () => {
    const { file, follow, service, settled } = await scene('{"n":1}\n{"n":2}\n{"n"')
    const evq = follow()
    await settled(2)
    appendFileSync(file, ':3}\n')
    await settled(3)
    expect(service.events).toEqual(['{"n":1}', '{"n":2}', '{"n":3}'])
    evq.child.kill('SIGINT')
    const { signal, stderr } = await evq.ended
    expect(signal).toBe('SIGINT')
    expect(stderr).toMatch(/logs: 3 events stored/)
  })

  it('need not exist yet', async () => {
    const { file, follow, service, settled, stop } = await scene()
    const evq = follow()
    await evq.err.until(/does not exist yet\. Waiting for it\./)
    writeFileSync(file, '{"n":1}\n')
    await settled(1)
    await stop()
    expect(service.events).toEqual(['{"n":1}'])
  })

  it('is not a pattern, which the shell expands', async () => {
    const { file, follow } = await scene()
    const evq = follow(`${file}.*`)
    await evq.err.until(/\.\*` does not exist yet\. Waiting for it\. The shell expands a pattern/)
  })

  it('is read to its end after rotation, and the new one from the beginning', async () => {
    const { file, follow, service, settled, stop } = await scene('{"n":1}\n')
    const { child } = follow()
    await settled(1)
    // A rotated file is followed for a second only: none of it may pass between two of these steps.
    child.kill('SIGSTOP')
    renameSync(file, `${file}.1`)
    appendFileSync(`${file}.1`, '{"n":2}\n')
    writeFileSync(file, '{"n":3}\n')
    appendFileSync(`${file}.1`, '{"n":4}')
    child.kill('SIGCONT')
    await settled(4)
    await stop()
    expect(service.events).toEqual(['{"n":1}', '{"n":2}', '{"n":4}', '{"n":3}'])
  })

  it('is read from the beginning after it was copied and truncated', async () => {
    const { file, follow, service, settled, stop } = await scene('{"n":1}\n{"n":2}\n')
    const evq = follow()
    await settled(2)
    copyFileSync(file, `${file}.1`)
    truncateSync(file)
    appendFileSync(file, '{"n":3}\n')
    await settled(3)
    truncateSync(file)
    // As long as before: only its beginning tells.
    writeFileSync(file, '{"n":4}\n{"n":5}\n')
    await settled(5)
    await stop()
    expect(service.events.slice(2)).toEqual(['{"n":3}', '{"n":4}', '{"n":5}'])
    // Of the first truncation, nothing is missing.
    const note = `\`${file}\` was truncated. Sending it from the beginning.\n`
    expect(evq.err.text().split(note)).toHaveLength(2)
  })

  it('has no gap when lines were added just before it was copied and truncated', async () => {
    const { file, follow, service, settled, stop } = await scene('{"n":1}\n')
    const { child } = follow()
    await settled(1)
    child.kill('SIGSTOP')
    appendFileSync(file, '{"n":2}\n')
    copyFileSync(file, `${file}.1`)
    writeFileSync(file, '{"n":3}\n{"n":4}\n')
    child.kill('SIGCONT')
    await settled(4)
    await stop()
    expect(service.events).toEqual([1, 2, 3, 4].map((n) => `{"n":${n}}`))
  })

  it('resumes where it stopped after it was copied, truncated and renamed', async () => {
    const { file, follow, service, settled, stop } = await stoppedScene('{"n":1}\n')
    appendFileSync(file, '{"n":2}\n')
    copyFileSync(file, `${file}.2`)
    writeFileSync(file, '{"n":3}\n')
    renameSync(file, `${file}.1`)
    writeFileSync(file, '{"n":4}\n')
    for (const [n, path] of [file, `${file}.1`, `${file}.2`].entries())
      utimesSync(path, new Date(), new Date(Date.now() - n * 1_000))
    follow()
    await settled(4)
    await stop()
    expect(service.events).toEqual([1, 2, 3, 4].map((n) => `{"n":${n}}`))
  })

  it('is read together with others', async () => {
    const one = await scene('{"n":1}\n')
    const other = `${one.file}.other`
    const { service, settled, follow, stop } = one
    follow(other)
    await settled(1)
    writeFileSync(other, '{"n":2}\n')
    await settled(2)
    appendFileSync(one.file, '{"n":3}\n')
    appendFileSync(other, '{"n":4}\n')
    await settled(4)
    await stop()
    expect([...service.events].sort()).toEqual(['{"n":1}', '{"n":2}', '{"n":3}', '{"n":4}'])
  })

  it('resumes where it stopped, also after two rotations', async () => {
    const { file, follow, service, settled, stop } = await stoppedScene('{"n":1}\n')
    appendFileSync(file, '{"n":2}\n')
    renameSync(file, `${file}.2`)
    writeFileSync(`${file}.1`, '{"n":3}\n')
    writeFileSync(file, '{"n":4}\n')
    // The order of rotated files is that of their times.
    for (const [n, path] of [file, `${file}.1`, `${file}.2`].entries())
      utimesSync(path, new Date(), new Date(Date.now() - n * 1_000))
    follow()
    await settled(4)
    await stop()
    appendFileSync(file, '{"n":5}\n')
    follow()
    await settled(5)
    await stop()
    expect(service.events).toEqual([1, 2, 3, 4, 5].map((n) => `{"n":${n}}`))
  })

  it('is resumed at a rotated file of which a stopped run could not send the rest', async () => {
    let isDown = false
    const { file, follow, service, settled, stop } = await stoppedScene('{"n":1}\n', {
      mishap: () => (isDown ? '503' : 'none'),
    })
    appendFileSync(file, '{"n":2}\n')
    renameSync(file, `${file}.2`)
    writeFileSync(`${file}.1`, '{"n":3}\n')
    writeFileSync(file, '{"n":4}\n')
    for (const [n, path] of [file, `${file}.1`, `${file}.2`].entries())
      utimesSync(path, new Date(), new Date(Date.now() - n * 1_000))
    isDown = true
    const before = service.requests
    follow()
    // By the second retry, the run has read the rotated file and waits for its batch before it reads the next one.
    await until(
      () => service.requests > before + 2,
      () => 'retries',
    )
    await stop()
    isDown = false
    follow()
    await settled(4)
    await stop()
    expect(service.events).toEqual([1, 2, 3, 4].map((n) => `{"n":${n}}`))
  })

  it('is sent when a stopped run had read it without sending a batch, and it was compressed', async () => {
    const { file, follow, service, settled, stop, env } = await scene('{"n":1}\n')
    env.XDG_STATE_HOME = temporaryDirectory()
    follow()
    await settled(1)
    await stop()
    renameSync(file, `${file}.1`)
    writeFileSync(file, '{"n":2}\n')
    const other = `${file}.other`
    writeFileSync(other, '')
    const evq = follow(other, '--flush-every', '1h', '--batch-size', '2')
    // The position in the file before is kept under another name when the next one is opened.
    const checkpoints = () => readdirSync(join(env.XDG_STATE_HOME!, 'evq', 'checkpoints'))
    const hasCopy = () => checkpoints().some((name) => /-\d+\.ndjson$/.test(name))
    await until(hasCopy, 'a checkpoint of the renamed file')
    writeFileSync(other, '{"n":3}\n{"n":4}\n')
    await settled(3)
    await stop()
    expect(evq.err.text()).toContain('1 not sent')
    const compress = (path: string, rotated: string) => {
      const writtenAt = statSync(path).mtime
      writeFileSync(rotated, gzipSync(readFileSync(path)))
      utimesSync(rotated, writtenAt, writtenAt)
      rmSync(path)
    }
    compress(`${file}.1`, `${file}.2.gz`)
    compress(file, `${file}.1.gz`)
    writeFileSync(file, '{"n":5}\n')
    follow()
    await settled(5)
    await stop()
    expect(service.events).toEqual([1, 3, 4, 2, 5].map((n) => `{"n":${n}}`))
  })

  it('is reported when the first run sent nothing of it, and it was compressed', async () => {
    const { file, follow, service, settled, stop, env } = await scene('{"n":1}\n')
    env.XDG_STATE_HOME = temporaryDirectory()
    follow('--flush-every', '1h')
    const checkpoints = join(env.XDG_STATE_HOME, 'evq', 'checkpoints')
    const textOf = (name: string) => readFileSync(join(checkpoints, name), 'utf8')
    // The lock of a checkpoint is older than its entries.
    const isKept = () =>
      existsSync(checkpoints) &&
      readdirSync(checkpoints).some((name) => textOf(name).includes('"beginning"'))
    await until(isKept, 'a checkpoint')
    await stop()
    expect(service.events).toEqual([])
    // The next file must not get the same inode.
    renameSync(file, `${file}.1`)
    writeFileSync(file, '{"n":2}\n')
    writeFileSync(`${file}.1.gz`, gzipSync(readFileSync(`${file}.1`)))
    rmSync(`${file}.1`)
    const second = follow()
    await settled(1)
    await stop()
    expect(service.events).toEqual(['{"n":2}'])
    expect(second.err.text()).toContain('was not found next to it. Its lines were not sent.')
  })

  it('is sent at once when it was truncated and renamed', async () => {
    const { file, follow, service, settled, stop, env, directory } = await scene()
    const other = `${file}.other`
    writeFileSync(other, '{"n":1}\n{"n":2}\n')
    expect((await start(['ingest', 'logs', other], { directory, env }).ended).status).toBe(0)
    writeFileSync(other, '{"n":3}\n')
    renameSync(other, file)
    follow()
    await settled(3)
    await stop()
    expect(service.events).toEqual(['{"n":1}', '{"n":2}', '{"n":3}'])
  })

  it('is sent when it has the inode of another file, and is as the beginning of it', async () => {
    const { file, follow, service, settled, stop, env, directory } = await scene()
    const other = `${file}.other`
    // A fingerprint has at most 64 KiB.
    const line = `{"n":"${'x'.repeat(70_000)}"}\n`
    writeFileSync(other, `${line}{"n":2}\n`)
    expect((await start(['ingest', 'logs', other], { directory, env }).ended).status).toBe(0)
    truncateSync(other, line.length)
    renameSync(other, file)
    follow()
    await settled(3)
    await stop()
    expect(service.events).toEqual([line.trimEnd(), '{"n":2}', line.trimEnd()])
  })

  it('is not sent again by the names of its rotated files', async () => {
    const { file, follow, service, settled, stop, env, directory } = await scene('{"n":1}\n')
    const names = [file, `${file}.1`]
    const ingest = () => start(['ingest', 'logs', ...names], { directory, env }).ended
    follow()
    await settled(1)
    renameSync(file, `${file}.1`)
    // Another process is reading the renamed file.
    expect((await ingest()).stderr).toContain('is sending this input to this dataset')
    writeFileSync(file, '{"n":2}\n')
    await settled(2)
    await stop()
    appendFileSync(`${file}.1`, '{"n":3}\n')
    expect((await ingest()).status).toBe(0)
    expect(service.events).toEqual(['{"n":1}', '{"n":2}', '{"n":3}'])
  })

  it.each(['kept', 'removed'])(
    'is read when it is rotated while an earlier one is read and %s',
    async (fate) => {
      const rotate = () => {
        if (fate === 'removed') rmSync(`${file}.1`)
        renameSync(file, `${file}.2`)
        writeFileSync(file, '{"n":"third"}\n')
      }
      let requests = 0
      // While the second request has no response, most of the first file is not read yet.
      const mishap = (): Mishap => {
        requests += 1
        if (requests === 2) rotate()
        return 'none'
      }
      const { file, follow, service, settled, stop } = await stoppedScene('{"n":0}\n', { mishap })
      const rest = Array.from({ length: 200 }, (_, n) => `{"n":${n + 1}}`)
      appendFileSync(file, `${rest.join('\n')}\n`)
      renameSync(file, `${file}.1`)
      utimesSync(`${file}.1`, new Date(), new Date(Date.now() - 10_000))
      writeFileSync(file, '{"n":"second"}\n')
      follow('--batch-size', '1')
      await until(
        () => service.events.includes('{"n":"third"}'),
        () => `the third file; ${service.events.length} events are stored`,
      )
      await settled(203)
      await stop()
      expect(service.events.slice(-2)).toEqual(['{"n":"second"}', '{"n":"third"}'])
    },
  )

  it('is read to its end after rotation while there is no new one', async () => {
    const { file, follow, service, settled, stop } = await stoppedScene('{"n":1}\n')
    appendFileSync(file, '{"n":2}\n')
    renameSync(file, `${file}.2`)
    utimesSync(`${file}.2`, new Date(), new Date(Date.now() - 10_000))
    writeFileSync(`${file}.1`, '{"n":3}\n')
    follow()
    await settled(3)
    appendFileSync(`${file}.1`, '{"n":4}\n')
    await settled(4)
    writeFileSync(file, '{"n":5}\n')
    await settled(5)
    await stop()
    expect(service.events).toEqual([1, 2, 3, 4, 5].map((n) => `{"n":${n}}`))
  })

  it('is not read from rotated files that were not followed', async () => {
    const { file, follow, service, settled, stop } = await scene()
    writeFileSync(`${file}.1`, '{"n":1}\n')
    const evq = follow()
    await evq.err.until(/does not exist yet\. Waiting for it\./)
    writeFileSync(file, '{"n":2}\n')
    await settled(1)
    await stop()
    expect(service.events).toEqual(['{"n":2}'])
  })

  it.each([
    ['.gz', 'a current file'],
    ['.gz', 'no current file'],
    ['.zst', 'a current file'],
    ['.xz', 'a current file'],
    ['.xz', 'no current file'],
  ] as const)(
    'resumes where it stopped, as far as can be read, after it was compressed to %s, with %s',
    async (extension, state) => {
      const hasCurrent = state === 'a current file'
      const isReadable = extension !== '.xz'
      const { file, follow, service, settled, stop } = await scene('{"n":1}\n')
      writeFileSync(`${file}.3`, '{"n":0}\n')
      utimesSync(`${file}.3`, new Date(), new Date(Date.now() - 10_000))
      follow()
      await settled(1)
      await stop()
      const compress = { '.gz': gzipSync, '.zst': zstdFrame, '.xz': zstdFrame }[extension]
      writeFileSync(`${file}.2${extension}`, compress(Buffer.from('{"n":1}\n{"n":2}\n')))
      writeFileSync(`${file}.1`, '{"n":3}\n')
      rmSync(file)
      if (hasCurrent) writeFileSync(file, '{"n":4}\n')
      for (const [n, path] of [`${file}.1`, `${file}.2${extension}`].entries())
        utimesSync(path, new Date(), new Date(Date.now() - n * 10))
      const evq = follow()
      const rest = [...(isReadable ? [2] : []), 3, ...(hasCurrent ? [4] : [])]
      await settled(1 + rest.length)
      await stop()
      expect(service.events).toEqual([1, ...rest].map((n) => `{"n":${n}}`))
      const note = 'that file was not found next to it. Lines added to it since were not sent.'
      expect(evq.err.text().includes(note)).toBe(!isReadable)
    },
  )

  it.each([
    ['beside it', []],
    ['in a directory', []],
    ['beside it', ['--no-checkpoint']],
    ['in a directory', ['--no-checkpoint']],
  ])(
    'has no gap when it is rotated twice and compressed %s between two looks, with flags %j',
    async (place, flags) => {
      const { file, follow, service, settled, stop } = await scene('{"n":1}\n')
      const { child } = follow(...flags)
      await settled(1)
      child.kill('SIGSTOP')
      const rotated = place === 'beside it' ? file : join(`${file}.old`, basename(file))
      mkdirSync(dirname(rotated), { recursive: true })
      const rotate = (number: number) => {
        // The time of writing is lost, as with log4j2 and Logback.
        writeFileSync(`${rotated}.${number}.gz`, gzipSync(readFileSync(file)))
        rmSync(file)
      }
      appendFileSync(file, '{"n":2}\n')
      rotate(2)
      utimesSync(`${rotated}.2.gz`, new Date(), new Date(Date.now() - 10))
      writeFileSync(file, '{"n":3}\n')
      rotate(1)
      writeFileSync(file, '{"n":4}\n')
      child.kill('SIGCONT')
      await settled(4)
      await stop()
      expect(service.events).toEqual([1, 2, 3, 4].map((n) => `{"n":${n}}`))
    },
  )

  it('has no gap when it was copied, truncated and compressed', async () => {
    const { file, follow, service, settled, stop } = await scene('{"n":1}\n')
    const { child } = follow()
    await settled(1)
    child.kill('SIGSTOP')
    writeFileSync(`${file}.1.gz`, gzipSync('{"n":1}\n{"n":2}\n'))
    writeFileSync(file, '{"n":3}\n{"n":4}\n')
    child.kill('SIGCONT')
    await settled(4)
    await stop()
    expect(service.events).toEqual([1, 2, 3, 4].map((n) => `{"n":${n}}`))
  })

  it('is not sent again when older files are compressed later', async () => {
    const { file, follow, service, settled, stop } = await scene('{"n":1}\n')
    follow()
    await settled(1)
    renameSync(file, `${file}.1`)
    writeFileSync(file, '{"n":2}\n')
    await settled(2)
    // The compressed file is newer than the one that was written after it.
    writeFileSync(`${file}.2.gz`, gzipSync(readFileSync(`${file}.1`)))
    renameSync(file, `${file}.1`)
    writeFileSync(file, '{"n":3}\n')
    await settled(3)
    await stop()
    expect(service.events).toEqual([1, 2, 3].map((n) => `{"n":${n}}`))
  })

  it('is followed on after a compressed file that is damaged, which is reported', async () => {
    const { file, follow, service, settled, stop } = await scene('{"n":1}\n')
    const evq = follow()
    await settled(1)
    evq.child.kill('SIGSTOP')
    renameSync(file, `${file}.2`)
    writeFileSync(`${file}.1.gz`, gzipSync('{"n":2}\n').subarray(0, -8))
    writeFileSync(file, '{"n":3}\n')
    evq.child.kill('SIGCONT')
    await until(
      () => service.events.includes('{"n":3}'),
      () => 'the events of the current file',
    )
    await settled(service.events.length)
    await stop()
    expect(evq.err.text()).toMatch(
      /\.1\.gz` ends in the middle of its compressed data\..* may be missing/,
    )
  })

  it('is reported when it is rotated twice and compressed in a way that can not be read', async () => {
    const { file, follow, service, settled, stop } = await scene('{"n":1}\n')
    const evq = follow()
    await settled(1)
    evq.child.kill('SIGSTOP')
    rmSync(file)
    for (const number of [1, 2]) writeFileSync(`${file}.${number}.xz`, 'no program reads it')
    writeFileSync(file, '{"n":4}\n')
    evq.child.kill('SIGCONT')
    await settled(2)
    await stop()
    expect(service.events).toEqual(['{"n":1}', '{"n":4}'])
    expect(evq.err.text()).toMatch(
      /rotated faster than it was read: events of 1 file like `.*xz` may be missing/,
    )
  })

  it('is reported when a link to it refers to another file', async () => {
    const { file, follow, service, settled, stop } = await scene()
    const [one, other] = [`${file}.one`, `${file}.other`]
    writeFileSync(one, '{"n":1}\n')
    writeFileSync(other, '{"n":3}\n')
    symlinkSync(one, file)
    follow()
    await settled(1)
    await stop()
    appendFileSync(one, '{"n":2}\n')
    rmSync(file)
    symlinkSync(other, file)
    const evq = follow()
    await settled(2)
    await stop()
    expect(service.events).toEqual(['{"n":1}', '{"n":3}'])
    expect(evq.err.text()).toContain('is not the file that was followed before')
  })

  it.each([
    ['renamed, as by the kubelet', '0.log', '0.log.20260203-040506', '0.log'],
    ['a link to a file with a date', 'a-2026-02-03.log', 'a-2026-02-03.log', 'a-2026-02-04.log'],
  ])(
    'resumes where it stopped when the file to which its link refers is %s',
    async (_, first, renamed, next) => {
      const { file, follow, service, settled, stop } = await scene()
      const folder = `${file}.pods`
      const path = (name: string) => join(folder, name)
      mkdirSync(folder)
      writeFileSync(path(first), '{"n":1}\n')
      symlinkSync(path(first), file)
      follow()
      await settled(1)
      await stop()
      appendFileSync(path(first), '{"n":2}\n')
      renameSync(path(first), path(renamed))
      writeFileSync(path(next), '{"n":3}\n')
      rmSync(file)
      symlinkSync(path(next), file)
      follow()
      await settled(3)
      await stop()
      expect(service.events).toEqual([1, 2, 3].map((n) => `{"n":${n}}`))
    },
  )

  it('is reported when the file followed before is gone', async () => {
    const { file, follow, service, settled, stop } = await stoppedScene('{"n":1}\n')
    writeFileSync(file, '{"m":1}\n{"m":2}\n')
    const evq = follow()
    await settled(3)
    await stop()
    expect(service.events).toEqual(['{"n":1}', '{"m":1}', '{"m":2}'])
    expect(evq.err.text()).toContain('is not the file that was followed before')
  })

  it('is followed once when it is named several times, by a link that may refer to another file later', async () => {
    const { file, follow, service, settled, stop } = await scene()
    const [first, second] = [`${file}.first`, `${file}.second`]
    writeFileSync(first, '{"n":1}\n')
    symlinkSync(first, file)
    const evq = follow(file, first)
    await evq.err.until(/first` is the same file as `.*ndjson`\. It is followed once\.\n/)
    await settled(1)
    writeFileSync(second, '{"n":2}\n')
    rmSync(file)
    symlinkSync(second, file)
    await settled(2)
    await stop()
    expect(service.events).toEqual(['{"n":1}', '{"n":2}'])
    expect(evq.err.text().split('the same file')).toHaveLength(2)
  })

  it('is followed across rotation after it took the name of a pipe', needsLinux, async () => {
    const { file, follow, service, settled, stop } = await scene()
    execFileSync('mkfifo', [file])
    follow()
    writeFileSync(file, '{"n":1}\n')
    await settled(1)
    rmSync(file)
    writeFileSync(file, '{"n":2}\n')
    await settled(2)
    renameSync(file, `${file}.1`)
    writeFileSync(file, '{"n":3}\n')
    await settled(3)
    await stop()
    expect(service.events).toEqual([1, 2, 3].map((n) => `{"n":${n}}`))
  })

  it.each(['a directory', 'a link to itself', 'a socket'])(
    'is waited for while %s has its name',
    async (kind) => {
      const { file, follow, service, settled, stop } = await scene('{"n":1}\n')
      const other = `${file}.other`
      writeFileSync(other, '{"other":1}\n')
      const evq = follow(other)
      await settled(2)
      renameSync(file, `${file}.1`)
      const server = createServer()
      if (kind === 'a socket') await once(server.listen(file), 'listening')
      else if (kind === 'a directory') mkdirSync(file)
      else symlinkSync(file, file)
      // A link that can't be resolved is like a file that does not exist.
      if (kind !== 'a link to itself') await evq.err.until(/Waiting until it can be read\.\n/)
      appendFileSync(other, '{"other":2}\n')
      await settled(3)
      if (kind === 'a socket') await new Promise((resolve) => server.close(resolve))
      else rmSync(file, { recursive: true })
      writeFileSync(file, '{"n":2}\n')
      await settled(4)
      await stop()
      expect(service.events.at(-1)).toBe('{"n":2}')
      expect(evq.err.text().split('Waiting until').length).toBeLessThan(3)
    },
  )

  it('is waited for until it may be read', needsUser, async () => {
    const { file, follow, service, settled, stop } = await scene('{"n":1}\n')
    chmodSync(file, 0)
    const evq = follow()
    await evq.err.until(/permission denied\. Waiting until it can be read\.\n/)
    chmodSync(file, 0o600)
    await settled(1)
    renameSync(file, `${file}.1`)
    writeFileSync(file, '{"n":2}\n', { mode: 0 })
    await evq.err.until(/(?:permission denied.*\n){2}/)
    chmodSync(file, 0o600)
    await settled(2)
    await stop()
    expect(service.events).toEqual(['{"n":1}', '{"n":2}'])
  })

  it('is followed next to a rotated file that may not be read', needsUser, async () => {
    const { file, follow, service, settled, stop } = await stoppedScene('{"n":1}\n')
    renameSync(file, `${file}.other`)
    writeFileSync(`${file}.1`, '{"n":2}\n', { mode: 0 })
    writeFileSync(file, '{"n":3}\n')
    follow()
    await settled(2)
    await stop()
    expect(service.events).toEqual(['{"n":1}', '{"n":3}'])
  })

  it('that can not be followed is reported at once, and the others are followed', async () => {
    const { file, follow, service, settled, stop } = await scene('{"n":1}\n')
    const other = `${file}.array`
    writeFileSync(other, '[{"n":1},\n{"n":2}]\n')
    const evq = follow(other)
    await evq.err.until(/is a JSON array\. `--follow` reads one event per line\.\n/)
    await settled(1)
    appendFileSync(file, '{"n":2}\n')
    await settled(2)
    await stop()
    expect(service.events).toEqual(['{"n":1}', '{"n":2}'])
    expect(evq.err.text().split('is a JSON array')).toHaveLength(2)
  })

  it('must have one event per line', async () => {
    const { follow } = await scene('[{"n":1},\n{"n":2}]\n')
    const { status, stderr } = await follow().ended
    expect(status).toBe(1)
    expect(stderr).toMatch(/is a JSON array\. `--follow` reads one event per line\.\n$/)
  })

  it('must not be standard input', async () => {
    const { directory, env } = await scene()
    const { status, stderr } = await start(['ingest', 'logs', '-F'], { directory, env }).ended
    expect(status).toBe(2)
    expect(stderr).toContain('`--follow` takes files')
  })
})

/** Returns a frame of zstd with an uncompressed block, as RFC 8878 defines it. */
function zstdFrame(content: Buffer): Buffer {
  const header = [0x28, 0xb5, 0x2f, 0xfd, 0x20, content.length, (content.length << 3) | 1, 0, 0]
  return Buffer.concat([Buffer.from(header), content])
}

/** Returns a scene in which a run has sent the only event of the file, and was stopped. */
async function stoppedScene(content: string, options?: RoughOptions) {
  const one = await scene(content, options)
  one.follow()
  await one.settled(1)
  await one.stop()
  return one
}

async function scene(content?: string, options: RoughOptions = {}) {
  const service = await roughService({ knowsBatchIds: true, ...options })
  files += 1
  const file = join(scratch, `${files}.ndjson`)
  if (content !== undefined) writeFileSync(file, content)
  const env: Record<string, string> = { EVQ_URL: service.url }
  const directory = join(scratch, 'data')
  let expected = 0
  return {
    file,
    service,
    env,
    directory,
    follow(...others: readonly string[]) {
      // Batches that are in flight at once may arrive in any order.
      const inOrder = ['--concurrency', '1']
      const args = ['ingest', 'logs', '-F', file, ...inOrder, '--flush-every', '20ms', ...others]
      const evq = start(args, { directory, env })
      running.add(evq)
      return evq
    },
    async settled(events: number) {
      expected = events
      await until(
        () => service.events.length >= events,
        () => `${events} events, not ${service.events.length}`,
      )
      expect(service.events.length).toBe(events)
    },
    /** Lets the program finish what it has begun: nothing may have been sent twice. */
    async stop() {
      for (const { child, ended } of running) {
        child.kill('SIGTERM')
        expect((await ended).signal).toBe('SIGTERM')
      }
      running.clear()
      expect(existsSync(directory)).toBe(false)
      expect(service.events.length).toBe(expected)
    },
  }
}
