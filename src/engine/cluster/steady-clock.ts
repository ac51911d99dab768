import { uptime } from 'node:os'

/** Differences between the clocks below this are those of their resolution and of small corrections. */
const TOLERANCE_MS = 1_000

interface Clocks {
  /** Milliseconds since the system started, those in which it was suspended included. */
  uptime(): number
  /** Milliseconds since 1970. */
  wall(): number
}

const SYSTEM: Clocks = { uptime: () => uptime() * 1000, wall: Date.now }

/**
 * Returns a clock in milliseconds that never goes back and goes on while the machine is suspended, unlike
 * `performance.now()`. The pause of a virtual machine shows on the wall clock only.
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
