import { expect, it, vi } from 'vitest'
import { reportRetries } from '../../../../src/cli/ingest/send/waiting.js'

const WAITS = [
  ['a short wait', [{ delayMs: 1000, waitedMs: 0 }], 0],
  ['a long wait', [{ delayMs: 5000, waitedMs: 0 }], 1],
  [
    'many short waits',
    Array.from({ length: 9 }, (_, i) => ({ delayMs: 1000, waitedMs: 1000 * i })),
    1,
  ],
] as const

it.each(WAITS)('warns of %s if it lasts five seconds, once', (_, waits, expected) => {
  const warn = vi.fn()
  const context = { warn, debug() {} }
  const progress = { pause: (write: () => void) => write() }
  const listeners = { context, progress, meter: { announce() {} } }
  const { onRetry } = reportRetries(listeners as unknown as Parameters<typeof reportRetries>[0])
  for (const wait of waits) onRetry({ reason: 'status 429', ...wait })
  expect(warn).toHaveBeenCalledTimes(expected)
})
