import { resolve } from 'node:path'
import { UsageError } from '../../error/usage-error.js'
import { type FileLock, lockFile } from '../../file/exclusive-file.js'
import { writeError } from '../../output/file.js'
import { partialPath } from './target.js'

/** The files that an export which can be gone on with depends on. */
interface ExportFiles {
  readonly checkpoint?: string | undefined
  readonly out?: string | undefined
}

/**
 * Keeps other exports from the checkpoint and the file: they would write each other's rows. Returns what lets them go.
 */
export async function lockExport({ checkpoint, out }: ExportFiles): Promise<() => void> {
  const holds: FileLock[] = []
  const release = () => {
    for (const lockPath of holds) lockPath.release()
  }
  if (checkpoint === undefined) return release
  const part = partialPath(resumableFile(checkpoint, out))
  try {
    holds.push(await held(checkpoint, `The checkpoint \`${checkpoint}\``))
    holds.push(await held(part, `\`${part}\``))
    return release
  } catch (error) {
    release()
    throw error
  }
}

/** The file that is gone on with, where it can be. */
function resumableFile(checkpoint: string, out: string | undefined): string {
  if (out === undefined || out === '-') {
    throw new UsageError(
      "`--checkpoint` goes on with a file, which `-O` names: what went to standard output can't be looked at again.",
    )
  }
  if ([out, partialPath(out)].some((path) => resolve(path) === resolve(checkpoint))) {
    throw new UsageError('`--checkpoint` takes a file of its own, not the one that `-O` writes.')
  }
  return out
}

async function held(path: string, words: string): Promise<FileLock> {
  try {
    return await lockFile(
      resolve(path),
      (who) => `${who} is writing \`${path}\`. Once it has ended, the same command resumes there.`,
    )
  } catch (error) {
    throw writeError(words, error)
  }
}
