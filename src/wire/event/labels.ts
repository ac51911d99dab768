import { readLeaves } from '../json/json-line.js'

/** The members of a JSON object of texts, numbers and booleans; undefined when it holds anything else. Throws `LineError`. */
export function parseLabels(text: string): string | undefined {
  const leaves = readLeaves(text)
  const members = leaves.map(({ path, form, text }) => {
    const [key] = path
    if (path.length > 1 || !['string', 'number', 'bool'].includes(form)) return undefined
    return `${JSON.stringify(key)}:${form === 'string' ? JSON.stringify(text) : text}`
  })
  return members.includes(undefined) ? undefined : members.join(',')
}

const EMPTY = /^[ \t\r]*\{[ \t\r]*\}/
const OBJECT = /^[ \t\r]*\{/

/**
 * An event with its labels, which come first: of a key that comes twice the first counts, so a label
 * wins over the event's own field of that name. What is no object stays as it is.
 */
export function withLabels(line: string, labels: string): string {
  const comma = EMPTY.test(line) ? '' : ','
  return line.replace(OBJECT, () => `{${labels}${comma}`)
}
