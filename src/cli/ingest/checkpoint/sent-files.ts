import { open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileIdentity } from '../../../input/open.js'
import { parseEntries } from './entry.js'

/** The number of kept checkpoints of one path: most programs that rotate logs keep fewer files. */
const MAX_KEPT = 100
/** Enough for the first entries of a checkpoint, of which one names the file. */
const READ_LENGTH = 64 * 1024

/** The checkpoints in a directory by the files that they are of, so that a renamed file is not sent again. */
export function sentFiles(directory: string) {
  let index: Promise<Map<string, Set<string>>> | undefined

  async function load(): Promise<Map<string, Set<string>>> {
    const found = new Map<string, Set<string>>()
    for (const name of await namesIn(directory)) {
      const path = join(directory, name)
      const file = await fileOf(path).catch(() => undefined)
      if (file !== undefined) addTo(found, file, path)
    }
    return found
  }

  return {
    /** Returns the paths of the checkpoints of a file. */
    async of(file: FileIdentity): Promise<readonly string[]> {
      index ??= load()
      return [...((await index).get(keyOf(file)) ?? [])]
    },
    async add(file: FileIdentity, path: string): Promise<void> {
      if (index !== undefined) addTo(await index, file, path)
    },
    /** Removes the oldest of the checkpoints whose names begin with `prefix`, so that few remain. */
    async removeOldest(prefix: string): Promise<void> {
      const names = (await namesIn(directory)).filter((name) => name.startsWith(prefix))
      if (names.length <= MAX_KEPT) return
      const kept = await Promise.all(
        names.map(async (name) => {
          const path = join(directory, name)
          return { path, writtenAt: (await stat(path)).mtimeMs }
        }),
      )
      kept.sort((one, other) => other.writtenAt - one.writtenAt)
      for (const { path } of kept.slice(MAX_KEPT)) await rm(path, { force: true })
    },
  }
}

async function namesIn(directory: string): Promise<readonly string[]> {
  const names = await readdir(directory).catch(() => [])
  return names.filter((name) => name.endsWith('.ndjson'))
}

/** Reads which file a checkpoint is of. */
async function fileOf(path: string): Promise<FileIdentity | undefined> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(READ_LENGTH), 0, READ_LENGTH, 0)
    const entries = parseEntries(buffer.toString('utf8', 0, bytesRead)) ?? []
    return entries.flatMap((entry) => (entry.kind === 'beginning' && entry.file) || [])[0]
  } finally {
    await file.close()
  }
}

function addTo(index: Map<string, Set<string>>, file: FileIdentity, path: string): void {
  const key = keyOf(file)
  index.set(key, (index.get(key) ?? new Set()).add(path))
}

function keyOf({ device, inode }: FileIdentity): string {
  return `${device}:${inode}`
}
