import { writeSync } from 'node:fs'
import { inspect } from 'node:util'

const STDERR = 2

/**
 * Forces the process to exit on `process.exit` or an uncaught error while the engine is busy. Node would wait for the
 * engine first, and some queries can't be ended. Returns a function that removes the handlers.
 */
export async function enableForcedExit(isBusy: () => boolean): Promise<() => void> {
  const koffi = await import('koffi').catch(() => undefined)
  if (koffi === undefined) return () => {}
  const quit: (code: number) => void = koffi.default.load(null).func('void _exit(int)')
  const onExit = (code: number): void => {
    if (isBusy()) quit(code)
  }
  // Node prints the error only after the exit handlers, which is too late.
  const onError = (error: unknown): void => {
    if (isBusy()) writeSync(STDERR, `${inspect(error)}\n`)
  }
  process.on('exit', onExit)
  process.on('uncaughtExceptionMonitor', onError)
  return () => {
    process.off('exit', onExit)
    process.off('uncaughtExceptionMonitor', onError)
  }
}
