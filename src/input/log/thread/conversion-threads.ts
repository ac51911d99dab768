import { threadFile } from '../../../wire/bytes/worker-thread.js'
import { SpareBuffers } from '../../buffer-pool.js'
import { ConversionThread } from './conversion-thread.js'

/**
 * Each thread starts after so many bytes more: its start, and compiling the code once more for it, take as much CPU time as converting
 * 30 MB.
 */
const START_AFTER = 8 * 1024 * 1024
/** The thread that stores events is as fast as so many threads that convert them. */
const MAX_THREADS = 3

/** Returns the module that a thread runs; undefined when the program runs from TypeScript. */
export function conversionWorkerFile(): URL | undefined {
  return threadFile('conversion-worker', import.meta.url)
}

/** The threads that convert the records of all inputs of a run. They start when they are first needed. */
export class ConversionThreads {
  /** Each thread starts after this many bytes more that arrived as fast as they were converted. */
  readonly after: number
  /** The buffers for events. */
  readonly spare = new SpareBuffers()
  private readonly file: URL
  private readonly most: number
  private readonly threads: ConversionThread[] = []
  private conversions = 0

  /** `file` is the module that a thread runs, `most` the maximum number of threads. */
  constructor(file: URL, { most = 1, after = START_AFTER } = {}) {
    this.file = file
    this.most = Math.min(most, MAX_THREADS)
    this.after = after
  }

  /** The threads that can convert. */
  get ready(): readonly ConversionThread[] {
    return this.threads.filter(({ isReady }) => isReady)
  }

  /** Starts threads up to a number. */
  start(count = 1): void {
    while (this.threads.length < Math.min(count, this.most)) {
      this.threads.push(new ConversionThread(this.file))
    }
  }

  nextId(): number {
    this.conversions += 1
    return this.conversions
  }

  async close(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.close()))
  }
}
