#!/usr/bin/env node
import { existsSync } from 'node:fs'

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
