import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeDirectory } from '../../../../text/make-directory.js'
import type { Io } from '../../../context.js'
import { stateDirectory } from '../../../file/home-directory.js'

const MAX_ENTRIES = 1_000

export type History = Awaited<ReturnType<typeof openHistory>>

/** Opens the history shared by all prompts. Read and write errors are ignored. */
export async function openHistory(env: Io['env']) {
  const path = join(stateDirectory(env), 'history')
  const text = await readFile(path, 'utf8').catch(() => '')
  const lines = text.split('\n').filter((line) => line !== '')
  let entries: readonly string[] = lines.slice(-MAX_ENTRIES).reverse().map(complete)
  let kept = ''
  // Prompts may write concurrently. Appending is atomic, so the file is rewritten only when it is long.
  if (lines.length > 2 * MAX_ENTRIES) {
    await writeFile(path, `${lines.slice(-MAX_ENTRIES).join('\n')}\n`, { mode: 0o600 }).catch(
      () => {},
    )
  }
  return {
    /** The queries and commands entered at the prompt, newest first, in a form that can be entered again. */
    get entries() {
      return entries
    },
    /** Adds a query or a command. Input that begins with a space is not saved, as in a shell. */
    async add(input: string): Promise<void> {
      const entry = complete(onOneLine(input))
      if (entry === entries[0]) return
      remember(entry)
      if (/^\s/.test(input)) return
      await makeDirectory(dirname(path)).catch(() => {})
      await appendFile(path, `${entry}\n`, { mode: 0o600 }).catch(() => {})
    },
    /** Adds lines that were discarded; they are not saved. */
    keep(lines: string): void {
      const entry = onOneLine(lines)
      if (entry === '' || entry === entries[0]) return
      remember(entry)
      kept = entry
    },
  }

  function remember(entry: string): void {
    // Discarded lines that were recalled and completed are replaced.
    const [latest] = entries
    const older = latest === kept && entry.startsWith(kept) ? entries.slice(1) : entries
    entries = [entry, ...older].slice(0, MAX_ENTRIES)
  }
}

/** Ends a query with `;`, so that Enter runs it. */
function complete(entry: string): string {
  return /^\\|;$/.test(entry) ? entry : `${entry};`
}

/** A string, which may contain `//`, or a comment. */
const STRING_OR_COMMENT =
  /(@(?:"[^"\n]*"|'[^'\n]*')|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|["'][^\n]*)|\/\/[^\n]*/g

/** Joins the lines of a query. Removes comments, which would extend to the end of the joined line. */
export function onOneLine(query: string): string {
  const code = query.replace(STRING_OR_COMMENT, (_, string: string | undefined) => string ?? '')
  const lines = code.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '').join(' ')
}
