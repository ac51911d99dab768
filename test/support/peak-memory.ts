import { readFileSync } from 'node:fs'

/** The peak resident memory of a process so far, in bytes. */
export function peakMemory(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/^VmHWM:\s*(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}
