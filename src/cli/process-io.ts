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
  async openPager(command) {
    const { spawn } = await import('node:child_process')
    // As git does it: colours pass, and a character set that is not told is the one that is sent.
    const env = { LESS: 'FRX', LESSCHARSET: 'utf-8', ...process.env }
    const child = spawn('/bin/sh', ['-c', command], { stdio: ['pipe', 'inherit', 'inherit'], env })
    // Ctrl-C reaches both, and means something within a pager.
    const ignore = () => {}
    process.on('SIGINT', ignore)
    const ended = new Promise<number>((resolve) => {
      child.on('error', () => resolve(127))
      child.on('close', (code) => resolve(code ?? 0))
    })
    return { input: child.stdin, ended: ended.finally(() => process.off('SIGINT', ignore)) }
  },
}
