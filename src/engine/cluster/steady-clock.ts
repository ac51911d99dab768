import { uptime } from 'node:os'

/** Smaller differences between the clocks are due to their resolution and to small corrections. */
const TOLERANCE_MS = 1_000

interface Clocks {
  /** Milliseconds since the system started, including the time in which it was suspended. */
  uptime(): number
  /** Milliseconds since 1970. */
  wall(): number
}

const SYSTEM: Clocks = { uptime: () => uptime() * 1000, wall: Date.now }

/**
 * Returns a clock in milliseconds that is monotonic and, unlike `performance.now()`, advances while the machine is
 * suspended. The pause of a virtual machine is visible only on the wall clock.
 */
export function steadyClock(clocks: Clocks = SYSTEM): () => number {
  let elapsed = 0
  let uptime = clocks.uptime()
  let wall = clocks.wall()
  return () => {
    const [nowUp, nowWall] = [clocks.uptime(), clocks.wall()]
    const up = Math.max(0, nowUp - uptime)
    const ahead = nowWall - wall - up
    elapsed += ahead > TOLERANCE_MS ? up + ahead : up
    uptime = nowUp
    wall = nowWall
    return elapsed
  }
}
