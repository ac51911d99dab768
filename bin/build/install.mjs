// @ts-check
// Installs the packages when they are not there, or not those of the lock file: a fresh clone needs
// no step of its own before `npm run demo` or `npm test`.
import { execSync } from 'node:child_process'
import { existsSync, lstatSync, statSync } from 'node:fs'

const installed = 'node_modules/.package-lock.json'

// `npm ci` empties the folder first, and through a link that would be the folder of another checkout.
const isLinked = lstatSync('node_modules', { throwIfNoEntry: false })?.isSymbolicLink() === true
if (!isLinked && !isInstalled()) {
  execSync('npm ci --no-audit --no-fund --loglevel=error', {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}

function isInstalled() {
  return (
    existsSync(installed) && statSync(installed).mtimeMs >= statSync('package-lock.json').mtimeMs
  )
}
