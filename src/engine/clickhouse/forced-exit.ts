import { writeSync } from 'node:fs'
import { inspect } from 'node:util'

const STDERR = 2

/**
 * Lets the process end while the engine still works for it, by `process.exit` or by an error that
 * nobody caught: Node would wait for the engine first, and there are queries that nothing can end.
 * Answers how to take this back.
 */
export async function enableForcedExit(isBusy: () => boolean): Promise<() => void> {
  const koffi = await import('koffi').catch(() => undefined)
  if (koffi === undefined) return () => {}
  const quit: (code: number) => void = koffi.default.load(null).func('void _exit(int)')
  const onExit = (code: number): void => {
    if (isBusy()) quit(code)
  }
  // Node tells of the error only after the listeners for the end, which is too late.
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
