import type { Problem } from '../text/problem.js'
import { analyzeParsed } from './analyze.js'
import type { Environment } from './environment.js'
import type { Step } from './syntax/ast.js'
import { lex } from './syntax/lexer.js'
import { parse } from './syntax/parser.js'

/** The operators that name every field they use, unless they contain a `*`. */
const NAMING: readonly Step['kind'][] = [
  ...(['where', 'extend', 'project', 'summarize', 'count', 'distinct', 'make-series'] as const),
  ...(['sort', 'limit', 'top', 'sample', 'parse', 'parse-kv', 'mv-expand'] as const),
]

/** Stands for the fields that a query does not name. */
const OTHERS = ' others'
const MAIN = ' input'
/** The remaining keys of a path, where a problem names only the first key. */
const MEMBERS = /^(?:\.[A-Za-z_]\w*)*/

/**
 * Returns the fields that a query of an input uses; undefined when it may use any field. The result of the
 * query does not depend on other fields.
 */
export function inputFieldsOf(
  text: string,
  known: Omit<Environment, 'schema' | 'inputs'>,
  parsed = parse(text, { hasInput: true }),
): readonly string[] | undefined {
  const { source, steps } = parsed
  const isNaming = source?.kind === 'input' && steps.every(({ kind }) => NAMING.includes(kind))
  // `*` and these functions depend on fields that the query does not name.
  if (!isNaming || /\*|column_?ifexists|pack_?all/i.test(text)) return undefined
  const names = new Set<string>()
  for (;;) {
    const fields = [OTHERS, '_time', ...names].map(
      (name) => ({ name, type: name === '_time' ? 'datetime' : 'dynamic' }) as const,
    )
    const schema = {
      datasets: [MAIN],
      fields: (dataset: string) => (dataset === MAIN ? fields : undefined),
    }
    const inputs = { main: MAIN, file: () => undefined }
    const found = analyzeParsed(text, parsed, { ...known, schema, inputs })
    if ('query' in found) {
      const { source } = found.query
      if (source.kind !== 'dataset') return undefined
      const used = source.columns.map(({ name }) => name)
      return used.includes(OTHERS) ? undefined : used
    }
    const before = names.size
    for (const problem of found.problems) {
      const name = unknownField(text, problem)
      if (name === undefined) continue
      const path = name + (MEMBERS.exec(text.slice(problem.span.end))?.[0] ?? '')
      names.add(names.has(path) ? name : path)
    }
    if (names.size === before) return undefined
  }
}

/** Returns the name of the missing field of an `unknown-field` problem; undefined for other problems. */
export function unknownField(text: string, { code, span }: Problem): string | undefined {
  if (code !== 'unknown-field') return undefined
  const written = text.slice(span.start, span.end)
  if (!written.startsWith('[')) return written
  const name = lex(written).tokens.find(({ kind }) => kind === 'literal')
  return name?.kind === 'literal' && typeof name.value === 'string' ? name.value : written
}
