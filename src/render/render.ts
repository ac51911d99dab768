import type { Table } from '../wire/http/tabular-result.js'
import { type Format, factsOf } from './format.js'
import type { RenderOptions } from './renderer.js'

/** Renders the tables of a result to text, in pieces of any size. */
export async function renderPieces(
  tables: readonly Table[],
  options: RenderOptions & { readonly format: Format },
): Promise<Iterable<string>> {
  const renderer = await factsOf(options.format).renderer()
  return renderer(tables, options)
}
