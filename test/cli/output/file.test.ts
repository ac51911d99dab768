import { execFileSync } from 'node:child_process'
import { closeSync, existsSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { checkWritable, openOutputFile } from '../../../src/cli/output/file.js'
import { needs } from '../../support/needs.js'
import { temporaryDirectory } from '../../support/temporary.js'
import { until } from '../../support/until.js'

const scratch = temporaryDirectory()
const file = join(scratch, 'out.json')
const descriptors: number[] = []

afterEach(() => {
  for (const descriptor of descriptors.splice(0)) closeSync(descriptor)
})

/** Opens the file like a shell and returns its name as a descriptor; with `r` it is read-only. */
function opened(flags: 'r' | 'a'): string {
  const descriptor = openSync(file, flags)
  descriptors.push(descriptor)
  return `/dev/fd/${descriptor}`
}

describe('an output file', () => {
  it('appears only when it is complete', async () => {
    writeFileSync(file, 'old')
    const output = await openOutputFile(file)
    output.stream.write('new')
    expect(readFileSync(file, 'utf8')).toBe('old')
    await output.finish()
    expect(readFileSync(file, 'utf8')).toBe('new')
    expect(readdirSync(scratch)).toEqual(['out.json'])
  })

  it('is not waited for after a signal if it is a pipe without a reader', async () => {
    const pipe = join(temporaryDirectory(), 'pipe')
    execFileSync('mkfifo', [pipe])
    const before = process.listenerCount('SIGTERM')
    const opening = openOutputFile(pipe)
    await until(() => process.listenerCount('SIGTERM') > before, 'the pipe is opened')
    process.emit('SIGTERM')
    const output = await opening
    await output.discard()
    expect(process.listenerCount('SIGTERM')).toBe(before)
  })

  it('continues at the position of the shell’s descriptor', async () => {
    writeFileSync(file, 'old,')
    const output = await openOutputFile(opened('a'))
    output.stream.write('new')
    await output.finish()
    expect(readFileSync(file, 'utf8')).toBe('old,new')
  })

  it('has a name', async () => {
    const message = 'The name of an output file is empty.'
    await expect(openOutputFile('')).rejects.toThrow(message)
    await expect(checkWritable('')).rejects.toThrow(message)
  })

  it('reports a name that no file can have', async () => {
    const name = 'x'.repeat(300)
    await expect(openOutputFile(join(scratch, name))).rejects.toThrow(
      `${name}\` can't be written: name too long.`,
    )
  })

  it(
    'is named by the errors of its writes',
    needs(existsSync('/dev/full'), '/dev/full'),
    async () => {
      const output = await openOutputFile('/dev/full')
      for (const text of ['a', 'b', 'c']) output.stream.write(text)
      await expect(output.finish()).rejects.toMatchObject({ code: 'ENOSPC', path: '/dev/full' })
    },
  )

  it('is not reported as complete when writing fails', async () => {
    const output = await openOutputFile(opened('r'))
    output.stream.write('new')
    await expect(output.finish()).rejects.toMatchObject({ code: 'EBADF' })
  })

  it('reports a failure in the middle', async () => {
    const output = await openOutputFile(opened('r'))
    output.stream.write('new')
    await until(() => output.stream.errored, 'the stream fails')
    await expect(output.finish()).rejects.toMatchObject({ code: 'EBADF' })
  })
})
