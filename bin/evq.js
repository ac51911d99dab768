#!/usr/bin/env node
import { existsSync } from 'node:fs'

// One query keeps one thread of Node's pool busy; with the default of 4, a few slow ones would
// block every file operation. The pool reads this when it is first used.
process.env.UV_THREADPOOL_SIZE ??= '16'

const built = new URL('../dist/main.js', import.meta.url)
if (existsSync(built)) {
  const { isInterrupted, main } = await import(built.href)
  process.exitCode = await main(process.argv.slice(2))
  // Otherwise the process ends by itself once the last of its output has left.
  if (isInterrupted(process.exitCode)) process.exit()
} else {
  process.stderr.write('evq is not built yet: `npm run build` does it.\n')
  process.exitCode = 1
}
