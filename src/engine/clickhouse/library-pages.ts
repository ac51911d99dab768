import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'

/** Linux's `MADV_DONTNEED`. */
const DONT_NEED = 4

/**
 * Removes the code and the constants of a loaded library from the memory of this process; pages that are used again return from
 * the page cache. The engine uses about 100 MB of its library only while it starts. Does nothing where the system does not list
 * the mappings of a process.
 */
export async function releasePages(library: string): Promise<void> {
  const koffi = await import('koffi').catch(() => undefined)
  const maps = await readFile('/proc/self/maps', 'utf8').catch(() => '')
  const ranges = unchangedRanges(maps, library)
  if (koffi === undefined || ranges.length === 0) return
  const advise = koffi.default.load(null).func('int madvise(size_t start, size_t length, int)')
  for (const { start, end } of ranges) advise(start, end - start, DONT_NEED)
}

/** A process that uses more memory has less use for code that it does not run. */
const LARGE_BYTES = 300_000_000

/** True while this process uses so much memory that pages of code are removed. */
export const usesMuchMemory = () => process.memoryUsage.rss() >= LARGE_BYTES

/** Pages in use take a few milliseconds to return, a hundredth of the processor time of storing a million events. */
const STATEMENTS = 3
const PAUSE_MS = 500

/**
 * Returns a function that is called after statements: while this process uses much memory, it removes the pages of a library and of
 * Node that were used since the last time. Storing events runs other code in each of its phases, and the pages of all of them amount to 160 MB.
 */
export function pageReleases(library: string): () => void {
  let last = Number.NEGATIVE_INFINITY
  let statements = 0
  return () => {
    const now = performance.now()
    if (++statements < STATEMENTS || now - last < PAUSE_MS) return
    if (!usesMuchMemory()) return
    last = now
    statements = 0
    for (const file of [library, basename(process.execPath)]) void releasePages(file)
  }
}

// The library's other read-only range has addresses that the loader has filled in: they are not in the file.
const UNCHANGED = /^([0-9a-f]+)-([0-9a-f]+) (?:r-xp [0-9a-f]+|r--p 0+) \S+ \S+ +(.+)$/gm

/** Returns the ranges of the code and of the constants of a library, given its file name and the content of `/proc/self/maps`. */
export function unchangedRanges(maps: string, library: string) {
  return [...maps.matchAll(UNCHANGED)].flatMap(([, start = '', end = '', path]) =>
    path?.endsWith(`/${library}`)
      ? [{ start: Number.parseInt(start, 16), end: Number.parseInt(end, 16) }]
      : [],
  )
}
