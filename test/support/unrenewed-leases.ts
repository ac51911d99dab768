import { vi } from 'vitest'
import { Leases } from '../../src/engine/cluster/leases.js'

/** Returns leases that are not renewed every ten seconds, but only before a write. */
export function unrenewedLeases(...options: ConstructorParameters<typeof Leases>): Leases {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    return new Leases(...options)
  } finally {
    vi.useRealTimers()
  }
}
