import { expect, it } from 'vitest'
import { formatInternalError } from '../../../src/cli/error/internal-error.js'

const error = new Error('nothing was stored', {
  cause: new Error('no thread', { cause: 'EAGAIN' }),
})

it('an internal error is logged with its causes', () => {
  expect(formatInternalError(error, { traceId: 't', withStack: false })).toBe(
    'request t failed: nothing was stored: no thread: EAGAIN',
  )
})

it('the stack trace of an internal error is followed by the stack traces of its causes', () => {
  const lines = formatInternalError(error, { traceId: 't', withStack: true }).split('\n')
  expect(lines.filter((line) => !line.startsWith('    at '))).toEqual([
    'request t failed: Error: nothing was stored',
    'caused by Error: no thread',
    'caused by EAGAIN',
  ])
  expect(lines.length).toBeGreaterThan(3)
})
