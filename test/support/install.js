// Installs the packages when they are not there, or not those of the lock file: a fresh clone needs
// no step of its own before `npm run demo` or `npm test`.
import { execSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'

const installed = 'node_modules/.package-lock.json'
if (!existsSync(installed) || statSync(installed).mtimeMs < statSync('package-lock.json').mtimeMs) {
  execSync('npm ci --no-audit --no-fund --loglevel=error', {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}
