import { statSync } from 'node:fs'
import type { Problem } from '../../text/problem.js'

/** The hint for a file that is given in place of a dataset or a command. */
export const HOW_TO_READ_FILES =
  "Files are read by `evq query -i app.log`, and by `file('app.log')` in a query."

const ABOUT_A_DATASET: ReadonlySet<string> = new Set([
  'missing-dataset',
  'unknown-dataset',
  'unquoted-dataset',
])

/** Returns a hint for a query that begins with the name of a file in place of a dataset; undefined for other queries. */
export function fileHint(apl: string, problems: readonly Problem[]): string | undefined {
  if (!problems.some(({ code }) => ABOUT_A_DATASET.has(code))) return undefined
  const [source = ''] = apl.split('|')
  const name = source.trim().replace(/^\[?(['"])(.*)\1\]?$/s, '$2')
  return isFile(name) ? `\`${name}\` is a file. ${HOW_TO_READ_FILES}` : undefined
}

export function isFile(name: string): boolean {
  try {
    return statSync(name).isFile()
  } catch {
    return false
  }
}
