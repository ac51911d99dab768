import { expect, it } from 'vitest'
import { EngineError } from '../../src/engine/engine.js'
import { describeError } from '../../src/service/error-response.js'

it.each([
  ['open files', Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' })],
  ['memory', new EngineError(173, 'Cannot allocate memory')],
  ['threads', new EngineError(439, 'Cannot schedule a task: failed to start the thread')],
])('a lack of %s is unavailable for long enough that few requests are repeated', (_, error) => {
  const options = { traceId: 't', report: undefined, now: () => 0n }
  const { body, retryAfterSeconds } = describeError(error, options)
  expect(body.code).toBe(503)
  expect(retryAfterSeconds).toBeGreaterThanOrEqual(10)
})
