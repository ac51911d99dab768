import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { stateDirectory } from '../../file/state-directory.js'
import type { Io } from '../../io.js'

const MAX_ENTRIES = 1_000

/** The queries that were asked at the prompt, newest first. */
export interface History {
  readonly entries: readonly string[]
  /** Remembers a query. One that begins with a space is not written down, as in a shell. */
  add(query: string): Promise<void>
}

/** Opens the history that all prompts share. What can't be read or written is not remembered. */
export async function openHistory(env: Io['env']): Promise<History> {
  const path = join(stateDirectory(env), 'history')
  const text = await readFile(path, 'utf8').catch(() => '')
  const lines = text.split('\n').filter((line) => line !== '')
  let entries: readonly string[] = lines.slice(-MAX_ENTRIES).reverse()
  // Two prompts may write at once; a line that is added stays whole, so only a long file is made anew.
  if (lines.length > 2 * MAX_ENTRIES) {
    await writeFile(path, `${lines.slice(-MAX_ENTRIES).join('\n')}\n`, { mode: 0o600 }).catch(
      () => {},
    )
  }
  return {
    get entries() {
      return entries
    },
    async add(query) {
      const entry = onOneLine(query)
      if (entry === entries[0]) return
      entries = [entry, ...entries].slice(0, MAX_ENTRIES)
      if (/^\s/.test(query)) return
      await mkdir(dirname(path), { recursive: true, mode: 0o700 }).catch(() => {})
      await appendFile(path, `${entry}\n`, { mode: 0o600 }).catch(() => {})
    },
  }
}

/** A comment ends with its line, so it goes where its line goes on. */
function onOneLine(query: string): string {
  const lines = query.split('\n').map((line) => line.replace(/(?:^|\s)\/\/[^"']*$/, '').trim())
  return lines.filter((line) => line !== '').join(' ')
}
