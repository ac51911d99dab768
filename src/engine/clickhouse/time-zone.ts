/**
 * Runs work in which the engine reads the time zone of the process: it reads UTC. It computes a table of the days of its own time
 * zone, which takes 12 ms, and one of UTC, the time zone of all columns. Statements do not depend on it, since servers have any.
 */
export async function inUtc<Result>(work: () => Result): Promise<Result> {
  const koffi = await import('koffi').catch(() => undefined)
  if (koffi === undefined) return work()
  const library = koffi.default.load(null)
  const setenv: (name: string, value: string, replace: number) => number = library.func(
    'int setenv(str, str, int)',
  )
  const unsetenv: (name: string) => number = library.func('int unsetenv(str)')
  const before = process.env.TZ
  // JavaScript keeps the time zone that it reads first; an assignment to `process.env.TZ` would change it.
  new Date().getTimezoneOffset()
  setenv('TZ', 'UTC', 1)
  try {
    return work()
  } finally {
    if (before === undefined) unsetenv('TZ')
    else setenv('TZ', before, 1)
  }
}
