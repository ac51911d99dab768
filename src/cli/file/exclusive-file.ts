import { rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Lock } from '../../local/file-lock.js'
import { makeDirectory } from '../../text/make-directory.js'
import { DescribedError } from '../../text/system-error.js'
import { CommandError } from '../error/command-error.js'

const UNLOCKED: Lock = { release() {} }

/**
 * Locks a path for this process until the lock is released or the process ends. When another process holds the lock, throws a
 * `CommandError` with the message of `refusal`, whose argument describes the other process. Also throws for a device or a pipe, which
 * must not be read, replaced or deleted.
 */
export async function lockFile(path: string, refusal: (who: string) => string): Promise<Lock> {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats !== undefined && !stats.isFile() && !stats.isDirectory()) {
    throw new CommandError(
      `\`${path}\` is a device or a pipe. A checkpoint is a file, which evq creates.`,
    )
  }
  const held = await tryLock(path)
  if (held !== undefined) return held
  const { lockHolder } = await import('../../local/file-lock.js')
  const holder = lockHolder(lockOf(path))
  const who = holder === undefined ? '' : ` (${holder})`
  throw new CommandError(refusal(`Another evq process${who}`))
}

/** The time to wait for another process that changes the same file, which takes milliseconds. */
const PATIENCE_MS = 10_000

/** Reads and replaces a file in `change` while no other process does: otherwise, the later of two changes would undo the other. */
export async function changeAlone<T>(path: string, change: () => Promise<T>): Promise<T> {
  await makeDirectory(dirname(path))
  const held = await tryLock(path, PATIENCE_MS)
  if (held === undefined) throw new CommandError(`Another evq process is changing \`${path}\`.`)
  try {
    return await change()
  } finally {
    held.release()
  }
}

function lockOf(path: string): string {
  return `${path}.lock`
}

/** Returns undefined when another process holds the lock longer than a time. */
async function tryLock(path: string, patienceMs = 0): Promise<Lock | undefined> {
  const { lockSoon } = await import('../../local/file-lock.js')
  const held = await lockSoon(lockOf(path), patienceMs).catch((error: unknown) => {
    // The file system does not support locks, or the local service is not installed: continue without a lock.
    if (error instanceof DescribedError) return UNLOCKED
    throw error
  })
  if (held === undefined || held === UNLOCKED) return held
  return { release: () => release(lockOf(path), held) }
}

/** Releases the lock, but removes its file first: after the release, the file may belong to another process. */
function release(file: string, held: Lock): void {
  try {
    rmSync(file, { force: true })
  } finally {
    held.release()
  }
}
