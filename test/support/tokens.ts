import type { Engine } from '../../src/engine/engine.js'
import { raw } from '../../src/sql/sql.js'
import type { TestDataset } from './dataset.js'
import { wrapped } from './engine.js'

// By the conditions for token indexes, the engine skips granules that do not have the tokens of a term. Here they are tested for
// each event, which is stricter: an event that does not pass one could be in a granule without others.

/** Returns the dataset as if there were token indexes over its string columns and over `line`. */
export function withTokenIndexes(dataset: TestDataset): TestDataset {
  const strings = dataset.layout.fields.flatMap(({ column, type }) =>
    column !== undefined && type === 'string' ? [column] : [],
  )
  // Several, like those of columns that were added later.
  const groups = [strings.slice(0, 1), strings.slice(1), ['line']]
  const tokenIndexes = groups.filter(({ length }) => length > 0).map((columns) => ({ columns }))
  return { ...dataset, layout: { ...dataset.layout, tokenIndexes } }
}

const HINT = 'indexHint(false) OR '

/** Returns an engine that tests the tokens of events in queries, and counts such queries. */
export function tokensTested(engine: Engine, counter: { tested: number }): Engine {
  return wrapped(engine, {
    read(query, limits) {
      if (query.text.includes(HINT)) counter.tested++
      return engine.read(raw(query.text.replaceAll(HINT, '')), limits)
    },
  })
}
