// @ts-check
// Installs the packages if they are missing or older than the lock file, so that a fresh clone needs
// no separate step before `npm run demo` or `npm test`.
import { execSync } from 'node:child_process'
import { existsSync, lstatSync, statSync } from 'node:fs'

const installed = 'node_modules/.package-lock.json'

// `npm ci` empties `node_modules` first; if that is a link, it would empty the folder of another checkout.
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
