import type { Problem } from '../../text/problem.js'
import { isRegularFile } from '../../text/regular-file.js'

/** The hint for a file that is given in place of a dataset or a command. */
export const HOW_TO_READ_FILES =
  "Files are read by `evq query -i app.log`, and by `file('app.log')` in a query."

const ABOUT_A_DATASET: ReadonlySet<string> = new Set([
  'missing-dataset',
  'unknown-dataset',
  'unquoted-dataset',
])

/**
 * Returns a hint for a query with the name of a file in place of a dataset, with an operator there, as in queries of files, or with
 * nothing but a word that resembles no dataset; undefined for other queries.
 */
export function fileHint(apl: string, problems: readonly Problem[]): string | undefined {
  const [source = ''] = apl.split('|')
  // The name of a file in a folder is a mistake of another kind at its first slash.
  const about = problems.filter(
    ({ code, span }) => ABOUT_A_DATASET.has(code) || span.start < source.length,
  )
  if (about.length === 0) return undefined
  const texts = about.map(({ span }) => apl.slice(span.start, span.end))
  const name = [source, ...texts]
    .map((text) => text.trim().replace(/^\[?(['"])(.*)\1\]?$/s, '$2'))
    .find(isRegularFile)
  if (name === undefined) {
    const [{ code, label } = {}] = about
    if (code === 'unknown-dataset' && label === 'unknown dataset' && /^\w+$/.test(apl.trim())) {
      return `\`evq query 'search "${apl.trim()}"'\` finds a text.`
    }
    const isOperator = code === 'missing-dataset' && /^[a-z-]+$/.test(texts[0] ?? '')
    return isOperator ? HOW_TO_READ_FILES : undefined
  }
  const how = /\.(?:apl|kql)$/.test(name)
    ? `\`evq query -f ${name}\` runs the query in it.`
    : `\`evq query -i ${name}\` reads it, as does \`file('${name}')\` in a query, and \`evq view -f ${name}\` follows it.`
  return `\`${name}\` is a file. ${how}`
}
