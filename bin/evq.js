#!/usr/bin/env node
import { existsSync } from 'node:fs'

const main = new URL('../dist/main.js', import.meta.url)
if (existsSync(main)) {
  const program = await import(main.href)
  process.exitCode = await program.main(process.argv.slice(2))
} else {
  process.stderr.write('evq is not built yet: `npm run build` does it.\n')
  process.exitCode = 1
}
