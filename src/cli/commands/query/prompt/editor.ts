import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Io } from '../../../context.js'
import { CommandError } from '../../../error/command-error.js'
import { systemErrorMessage } from '../../../error/system-error.js'

/**
 * Opens the editor of the environment on a text, or on a file if there is a path, and returns the saved text. Throws a
 * `CommandError` when the editor fails; the saved text is not used then.
 */
export async function editText(path: string, text: string, io: Io): Promise<string> {
  if (path !== '') return await edited(path, io)
  const directory = await mkdtemp(join(tmpdir(), 'evq-edit-'))
  try {
    const file = join(directory, 'query.apl')
    await writeFile(file, text === '' ? '' : `${text}\n`, { mode: 0o600 })
    return await edited(file, io)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

async function edited(file: string, { env, openEditor }: Io): Promise<string> {
  const command = env.VISUAL || env.EDITOR || 'vi'
  const code = (await openEditor?.(command, file)) ?? 127
  if (code !== 0) {
    const hint = code === 127 ? ' Set another editor with EDITOR.' : ''
    throw new CommandError(`The editor \`${command}\` ended with exit code ${code}.${hint}`)
  }
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new CommandError(`\`${file}\` can't be read: ${systemErrorMessage(error) ?? error}.`)
  }
}
