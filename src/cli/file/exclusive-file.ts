import { rmSync } from 'node:fs'
import { DescribedError } from '../../text/described-error.js'
import { CommandError } from '../error/command-error.js'

/** What no other evq process works on. */
export interface FileLock {
  release(): void
}

const UNLOCKED: FileLock = { release() {} }

/**
 * Takes what is kept at a path for this process alone, until it is released or the process ends, however it ends.
 * `refusal` says what another process is about that has it already.
 */
export async function lockFile(path: string, refusal: (who: string) => string): Promise<FileLock> {
  const file = `${path}.lock`
  const { lockHolder, lock } = await import('../../local/file-lock.js')
  const held = await lock(file).catch((error: unknown) => {
    // Where nothing can be locked, or the local service is not installed, the user has to look after it.
    if (error instanceof DescribedError && error.kind === 'directory') return UNLOCKED
    throw error
  })
  if (held === undefined) {
    const holder = lockHolder(file)
    const who = holder === undefined ? '' : ` (${holder})`
    throw new CommandError(refusal(`Another evq process${who}`))
  }
  return held === UNLOCKED ? held : { release: () => release(file, held) }
}

/** The file goes first: once the lock is given up, it may be another's. */
function release(file: string, held: FileLock): void {
  try {
    rmSync(file, { force: true })
  } finally {
    held.release()
  }
}
