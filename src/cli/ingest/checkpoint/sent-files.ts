import { closeSync, openSync, readSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Lookahead, withHead } from '../../../input/byte-source.js'
import { canDetectCompression, decompressed } from '../../../input/compression.js'
import { InputError } from '../../../input/error.js'
import { FingerprintedBytes } from '../../../input/fingerprint.js'
import { type FileIdentity, openFile } from '../../../input/open.js'
import { logOf } from '../../../input/rotated.js'
import { addTo } from '../../../text/lists.js'
import { type Beginning, type Head, parseEntries } from './entry.js'
import { type Destination, isSameDestination } from './mismatch.js'

/** The number of kept checkpoints of one path: most programs that rotate logs keep fewer files. */
const MAX_KEPT = 100
/** Enough for the first entries of a checkpoint, of which one names the file. */
const READ_LENGTH = 64 * 1024

/** The checkpoints in a directory by the files that they are of, so that a renamed file is not sent again. */
export function sentFiles(directory: string) {
  /** The paths of the checkpoints of each file, for each destination. */
  const paths = new Map<string, string[]>()
  /** The contents that earlier runs sent of each log. */
  const contents = new Map<string, SentContent[]>()
  let loading: Promise<void> | undefined

  function loaded(): Promise<void> {
    loading ??= load()
    return loading
  }

  async function load(): Promise<void> {
    const buffer = Buffer.allocUnsafe(READ_LENGTH)
    for (const name of await namesIn(directory)) {
      const path = join(directory, name)
      const content = contentOf(path, buffer)
      if (content === undefined) continue
      addTo(contents, logOf(content.head.input), content)
      const { file } = content.beginning
      if (file !== undefined) addTo(paths, keyOf(file, content.head), path)
    }
  }

  return {
    /** Returns the paths of the checkpoints of a file for a destination; other processes may use those for others. */
    async of(file: FileIdentity, destination: Destination): Promise<readonly string[]> {
      await loaded()
      return [...new Set(paths.get(keyOf(file, destination)))]
    },
    /** Returns the earlier name of a copy: the path in a checkpoint of the same log whose file no longer has the content. */
    async earlierName(file: string, own: Head): Promise<string | undefined> {
      await loaded()
      const candidates = (contents.get(logOf(own.input)) ?? []).filter(
        ({ head }) => head.input !== own.input && isSameDestination(head, own),
      )
      // More are not the files of one log, and comparing each file with all others would take long.
      if (candidates.length > MAX_KEPT) return undefined
      for (const one of await matching(file, candidates)) {
        const { input } = one.head
        if ((await matching(input, [one])).length === 0) return input
      }
      return undefined
    },
    add: (file: FileIdentity, head: Destination, path: string): void =>
      addTo(paths, keyOf(file, head), path),
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

interface SentContent {
  readonly head: Head
  readonly beginning: Beginning
}

/**
 * Returns the content that a checkpoint is of; undefined when nothing was sent. Reading is synchronous, because there may be thousands of
 * checkpoints, most of them short.
 */
function contentOf(path: string, buffer: Buffer): SentContent | undefined {
  const entries = parseEntries(firstText(path, buffer)) ?? []
  const head = entries.find(({ kind }) => kind === 'checkpoint')
  const beginning = entries.findLast(({ kind }) => kind === 'beginning')
  const isSent = entries.some(({ kind }) => kind === 'sending' || kind === 'before')
  if (head?.kind !== 'checkpoint' || beginning?.kind !== 'beginning' || !isSent) return undefined
  return { head, beginning }
}

/** Returns the first text of a file; an empty text for a file that can't be read, such as one that was removed. */
function firstText(path: string, buffer: Buffer): string {
  try {
    const file = openSync(path, 'r')
    try {
      return buffer.toString('utf8', 0, readSync(file, buffer))
    } finally {
      closeSync(file)
    }
  } catch {
    return ''
  }
}

/** Returns the contents with which a file begins, or its decompressed content. */
async function matching(
  path: string,
  contents: readonly SentContent[],
): Promise<readonly SentContent[]> {
  try {
    // A pipe would be waited for.
    const isFile = (await stat(path).catch(() => undefined))?.isFile()
    if (contents.length === 0 || !isFile) return []
    const { bytes } = await openFile(path)
    try {
      const start = new Lookahead(bytes)
      await start.until(canDetectCompression)
      const plain = decompressed(start.head, withHead(start.head, bytes), path)
      const source = new FingerprintedBytes(plain)
      const found: SentContent[] = []
      for (const one of contents) if (await source.hasPrefix(one.beginning)) found.push(one)
      return found
    } finally {
      await bytes.close()
    }
  } catch (error) {
    if (error instanceof InputError) return []
    throw error
  }
}

function keyOf({ device, inode }: FileIdentity, { deployment, dataset }: Destination): string {
  return `${device}:${inode} ${dataset} ${deployment}`
}
