import type { Io } from './io.js'

/** The process itself. Its streams are opened when they are first asked for, since that takes time. */
export const processIo: Io = {
  get stdin() {
    return process.stdin
  },
  get stdout() {
    return process.stdout
  },
  get stderr() {
    return process.stderr
  },
  env: process.env,
  now: Date.now,
}
