import { readdir, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { FileIdentity } from '../../../input/open.js'
import { addTo } from '../../../text/lists.js'
import { fileHead } from '../../../text/regular-file.js'
import { type Entry, parseEntries } from './entry.js'
import type { Destination } from './mismatch.js'

/** The number of kept checkpoints of one path: most programs that rotate logs keep fewer files. */
const MAX_KEPT = 100
/** Enough for the first entries of a checkpoint, of which one names the file. */
const READ_LENGTH = 64 * 1024

export type SentFiles = ReturnType<typeof sentFiles>

/** The checkpoints in a directory by the files that they are of, so that a renamed file is not sent again. */
export function sentFiles(directory: string) {
  /** The paths of the checkpoints of each file, for each destination. */
  const paths = new Map<string, string[]>()
  let loading: Promise<void> | undefined

  async function load(): Promise<void> {
    const buffer = Buffer.allocUnsafe(READ_LENGTH)
    for (const path of await checkpointsIn(directory)) {
      const entries = firstEntries(path, buffer)
      const head = entries.find((entry) => entry.kind === 'checkpoint')
      const file = entries.findLast((entry) => entry.kind === 'beginning')?.file
      if (head !== undefined && file !== undefined) addTo(paths, keyOf(file, head), path)
    }
  }

  /** Returns the paths of the checkpoints whose names begin with `prefix`. */
  async function named(prefix: string): Promise<readonly string[]> {
    return (await checkpointsIn(directory)).filter((path) => basename(path).startsWith(prefix))
  }

  return {
    /** Returns the paths of the checkpoints of a file for a destination; other processes may use checkpoints for other destinations. */
    async of(file: FileIdentity, destination: Destination): Promise<readonly string[]> {
      loading ??= load()
      await loading
      return [...new Set(paths.get(keyOf(file, destination)))]
    },
    add: (file: FileIdentity, head: Destination, path: string): void =>
      addTo(paths, keyOf(file, head), path),
    named,
    /** Removes the oldest of the checkpoints whose names begin with `prefix`, so that few remain. */
    async removeOldest(prefix: string): Promise<void> {
      const paths = await named(prefix)
      if (paths.length <= MAX_KEPT) return
      const kept = await Promise.all(
        paths.map(async (path) => ({ path, writtenAt: (await stat(path)).mtimeMs })),
      )
      kept.sort((one, other) => other.writtenAt - one.writtenAt)
      for (const { path } of kept.slice(MAX_KEPT)) await rm(path, { force: true })
    },
  }
}

/** Returns the paths of the checkpoints in a directory, which may not exist. */
export async function checkpointsIn(directory: string): Promise<readonly string[]> {
  const names = await readdir(directory).catch(() => [])
  return names.filter((name) => name.endsWith('.ndjson')).map((name) => join(directory, name))
}

/**
 * Returns the first entries of a checkpoint; no entries if it can't be read, for example because it was removed. Reading is
 * synchronous, because there may be thousands of checkpoints, most of them short.
 */
export function firstEntries(
  path: string,
  buffer = Buffer.allocUnsafe(READ_LENGTH),
): readonly Entry[] {
  return parseEntries(fileHead(path, buffer).toString()) ?? []
}

function keyOf({ device, inode }: FileIdentity, { deployment, dataset }: Destination): string {
  return `${device}:${inode} ${dataset} ${deployment}`
}
