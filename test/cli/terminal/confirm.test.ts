import { expect, it } from 'vitest'
import { confirm } from '../../../src/cli/terminal/confirm.js'
import { fakeIo } from '../../support/fake-io.js'

it('wraps a question between words, and leaves room for the cursor', async () => {
  const io = fakeIo({ isTerminal: true, columns: 30, stdin: 'y\n' })
  const { signal } = new AbortController()
  expect(await confirm('Delete `logs` with 4 events?', { io, signal })).toBe(true)
  expect(io.err()).toBe('Delete `logs` with 4 events?\n[y/N] ')
})
