import { expect, it } from 'vitest'
import { evq } from './evq.js'
import { evqInProcess } from './evq-in-process.js'
import { temporaryDirectory } from './temporary.js'

const directory = temporaryDirectory()
let message = ''

it.fails('shows the runs of a test that fails', async ({ onTestFailed, task }) => {
  // Called last, since it is registered first.
  onTestFailed(() => {
    message = task.result?.errors?.[0]?.message ?? ''
  })
  await evq(['help', 'format'], { directory })
  await evqInProcess(['token', 'list', '--surprise'], { directory })
  expect(1).toBe(2)
})

it('shows the command, the exit code and the output of each', () => {
  expect(message).toMatch(
    /^expected 1 to be 2.*\n\n\$ evq token list --surprise\nexit 2\nstdout: empty\nstderr:\nevq: Unknown option `--surprise`/,
  )
  expect(message).toMatch(/\n\n\$ evq help format\nexit 0\nstdout:\n.*Usage: evq format/s)
})
