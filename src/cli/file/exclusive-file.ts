import { rmSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { DescribedError } from '../../text/system-error.js'
import { CommandError } from '../error/command-error.js'

/** An exclusive lock on a file that only evq processes respect. */
export interface FileLock {
  release(): void
}

const UNLOCKED: FileLock = { release() {} }

/**
 * Locks a path for this process until the lock is released or the process ends. When another process holds the lock, throws a
 * `CommandError` with the message of `refusal`, whose argument describes the other process. Also throws for a device or a pipe, which
 * must not be read, replaced or deleted.
 */
export async function lockFile(path: string, refusal: (who: string) => string): Promise<FileLock> {
  const stats = await stat(path).catch(() => undefined)
  if (stats !== undefined && !stats.isFile() && !stats.isDirectory()) {
    throw new CommandError(
      `\`${path}\` is a device or a pipe. A checkpoint is a file, which evq creates.`,
    )
  }
  const file = `${path}.lock`
  const { lockHolder, lock } = await import('../../local/file-lock.js')
  const held = await lock(file).catch((error: unknown) => {
    // The file system does not support locks, or the local service is not installed: continue without a lock.
    if (error instanceof DescribedError) return UNLOCKED
    throw error
  })
  if (held === undefined) {
    const holder = lockHolder(file)
    const who = holder === undefined ? '' : ` (${holder})`
    throw new CommandError(refusal(`Another evq process${who}`))
  }
  return held === UNLOCKED ? held : { release: () => release(file, held) }
}

/** Releases the lock, but removes its file first: after the release, the file may belong to another process. */
function release(file: string, held: FileLock): void {
  try {
    rmSync(file, { force: true })
  } finally {
    held.release()
  }
}
