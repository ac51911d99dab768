import { expect, it } from 'vitest'
import { EngineError } from '../../src/engine/engine.js'
import { toStoreError } from '../../src/engine/store-error.js'
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

it.each([
  [
    'a part',
    new EngineError(1001, 'filesystem error: in create_directories: Permission denied ["/d/x"].'),
  ],
  [
    'a file',
    new EngineError(76, 'Cannot open file /d/x: , errno: 13, strerror: Permission denied.'),
  ],
  [
    'the journal',
    Object.assign(new Error("EACCES: permission denied, unlink '/d/x'"), { code: 'EACCES' }),
  ],
])('a denied access to %s is neither damage nor an internal error', (_, error) => {
  const options = { traceId: 't', report: undefined, now: () => 0n }
  for (const failed of [error, toStoreError(error)]) {
    const { body } = describeError(failed, options)
    expect(body.code).toBe(500)
    expect(body.message).toContain(
      'The service has no permission to read or write some of its files',
    )
  }
})
