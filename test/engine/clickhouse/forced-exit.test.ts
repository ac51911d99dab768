import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { removeDirectory } from '../../support/remove-directory.js'

const PROGRAM = join(import.meta.dirname, '../stuck-process.js')

/** Runs a process that exits in the given way during an endless query. */
async function ending(way: string): Promise<{ code: number; out: string; error: string }> {
  const directory = await mkdtemp(join(tmpdir(), 'evq-engine-'))
  try {
    const child = spawn(process.execPath, [PROGRAM, directory, way])
    const [out, error, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit'),
    ])
    return { code, out, error }
  } finally {
    await removeDirectory(directory)
  }
}

// Each would run for minutes if the process waited for the query.

it("closes while a query can't be ended, and exits with its own code", async () => {
  expect(await ending('close')).toEqual({ code: 7, out: 'running\nreleased: false\n', error: '' })
})

it('exits immediately with the code of process.exit', async () => {
  expect(await ending('exit')).toEqual({ code: 9, out: 'running\n', error: '' })
})

it('exits after an uncaught error and prints it', async () => {
  const { code, error } = await ending('throw')
  expect(code).toBe(1)
  expect(error).toMatch(/^Error: nobody catches this\n {4}at /)
})
