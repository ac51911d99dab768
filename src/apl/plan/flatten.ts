import type { LetTabular, Operator, Pipeline, Query, Source } from '../syntax/ast.js'

/** A source with all operators that are applied to it. */
interface Flat {
  readonly source: Source
  readonly operators: readonly Operator[]
}

/** Returns the innermost source of a query with all steps: steps inside `(['logs'] | where …)` and tables of `let` come first. */
export function flatten({ statements, source, operators }: Query): Flat {
  const tables = new Map(
    statements
      .filter((statement): statement is LetTabular => statement.kind === 'let-tabular')
      .map(({ name, pipeline }) => [name.name, pipeline]),
  )
  let flat: Flat = { source, operators }
  for (;;) {
    const inner = innerPipeline(flat.source, tables)
    if (inner?.source === undefined) return flat
    // A table may have the name of the dataset that it reads.
    if (flat.source.kind === 'dataset') tables.delete(flat.source.name)
    const steps = inner.steps.filter((step) => step.kind !== 'broken')
    flat = { source: inner.source, operators: [...steps, ...flat.operators] }
  }
}

function innerPipeline(
  source: Source,
  tables: ReadonlyMap<string, Pipeline>,
): Pipeline | undefined {
  if (source.kind === 'pipeline') return source.pipeline
  return source.kind === 'dataset' ? tables.get(source.name) : undefined
}
