import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Returns the file with which the thread that converts begins; undefined where TypeScript runs, which a thread can't load. */
export function conversionWorkerFile(): URL | undefined {
  const isBundle = import.meta.url.endsWith('.cjs')
  const path = isBundle ? '../../bin/conversion-worker.js' : 'conversion-worker.js'
  const file = new URL(path, import.meta.url)
  return existsSync(fileURLToPath(file)) ? file : undefined
}
