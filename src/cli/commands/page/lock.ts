import { resolve } from 'node:path'
import type { Lock } from '../../../local/file-lock.js'
import { UsageError } from '../../error/usage-error.js'
import { lockFile } from '../../file/exclusive-file.js'
import { checkWritable, isWrittenInPlace, writeError } from '../../output/file.js'
import { isOutputFile } from '../../output/flags.js'
import { partialPath } from '../../output/target.js'

/**
 * Locks the checkpoint and the file of an export. Returns a function that releases them. Throws when another process holds
 * one of them.
 */
export async function lockExport({
  checkpoint,
  out,
}: Readonly<Partial<Record<'checkpoint' | 'out', string>>>): Promise<() => void> {
  const locks: Lock[] = []
  const release = () => {
    for (const lock of locks) lock.release()
  }
  if (checkpoint === undefined) return release
  const part = partialPath(await resumableFile(out))
  try {
    locks.push(await locked(checkpoint, `The checkpoint \`${checkpoint}\``))
    locks.push(await locked(part, `\`${part}\``))
    return release
  } catch (error) {
    release()
    throw error
  }
}

/** Returns the output file. Throws a `UsageError` when it can't be resumed. */
async function resumableFile(out: string | undefined): Promise<string> {
  if (!isOutputFile(out)) {
    throw new UsageError(
      "`--checkpoint` requires `-O <file>`, because standard output can't be resumed.",
    )
  }
  if (isWrittenInPlace(out)) {
    throw new UsageError(
      `\`--checkpoint\` requires a file, and \`${out}\` is a device or a pipe, which can't be resumed.`,
    )
  }
  await checkWritable(out)
  return out
}

async function locked(path: string, message: string): Promise<Lock> {
  try {
    return await lockFile(
      resolve(path),
      (who) => `${who} is writing \`${path}\`. Once it has ended, the same command resumes there.`,
    )
  } catch (error) {
    throw writeError(message, error)
  }
}
