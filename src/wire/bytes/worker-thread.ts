import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'

/**
 * Returns the file of a thread, given its name and the URL of a module next to it; undefined when the program runs from its
 * TypeScript sources, which a thread can't load.
 */
export function threadFile(name: string, moduleUrl: string): URL | undefined {
  const isBundle = moduleUrl.endsWith('.cjs')
  const file = new URL(isBundle ? `../../bin/${name}.js` : `${name}.js`, moduleUrl)
  return existsSync(fileURLToPath(file)) ? file : undefined
}

/** In MB. Objects on the heap of a thread are short-lived, and batches are outside the heap: a larger one saves no time. */
const YOUNG_GENERATION_MB = 6

/** Starts a thread that does not keep the process alive. */
export function startThread(file: URL, workerData?: unknown): Worker {
  // Options such as `--require` are meant for the main thread only.
  const worker = new Worker(file, {
    execArgv: [],
    workerData,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  })
  worker.unref()
  return worker
}
