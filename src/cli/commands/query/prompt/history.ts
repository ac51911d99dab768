import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { stateDirectory } from '../../../file/state-directory.js'
import type { Io } from '../../../io.js'

const MAX_ENTRIES = 1_000

/** The queries entered at the prompt, newest first. */
export interface History {
  readonly entries: readonly string[]
  /** Adds a query. One that begins with a space is not saved, as in a shell. */
  add(query: string): Promise<void>
}

/** Opens the history shared by all prompts. Read and write errors are ignored. */
export async function openHistory(env: Io['env']): Promise<History> {
  const path = join(stateDirectory(env), 'history')
  const text = await readFile(path, 'utf8').catch(() => '')
  const lines = text.split('\n').filter((line) => line !== '')
  let entries: readonly string[] = lines.slice(-MAX_ENTRIES).reverse()
  // Prompts may write concurrently. Appending is atomic, so the file is rewritten only when it is long.
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

/** Joins the lines of a query; removes comments, which would end at the line break. */
function onOneLine(query: string): string {
  const lines = query.split('\n').map((line) => line.replace(/(?:^|\s)\/\/[^"']*$/, '').trim())
  return lines.filter((line) => line !== '').join(' ')
}
