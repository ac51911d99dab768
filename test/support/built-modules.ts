import { readdirSync, statSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import type { Plugin } from 'vitest/config'

const root = join(import.meta.dirname, '../..')
const sources = join(root, 'src') + sep
const built = join(root, 'dist') + sep

/**
 * Replaces the sources that tests import by what `npm run build` made of them, when it is up to date. Node loads those
 * modules itself; translating and evaluating the sources costs each test file up to a second of CPU time.
 */
export function builtModules(): Plugin {
  // In watch mode, the sources change after the start.
  const isUsed = process.argv.includes('run') && isBuilt()
  return {
    name: 'built modules',
    enforce: 'pre',
    resolveId(name, importer) {
      if (!isUsed || importer === undefined || !name.startsWith('.')) return undefined
      const file = resolve(importer, '..', name)
      return file.startsWith(sources) ? file.replace(sources, built) : undefined
    },
  }
}

/** True when no source is newer than the last module that `tsc` has written. */
function isBuilt(): boolean {
  const builtAt = statSync(join(built, 'main.js'), { throwIfNoEntry: false })?.mtimeMs ?? 0
  return readdirSync(sources, { recursive: true, encoding: 'utf8' }).every(
    (file) => statSync(join(sources, file)).mtimeMs <= builtAt,
  )
}
