import type { Writable } from 'node:stream'
import type { Table } from '../wire/http/tabular-result.js'
import { type Format, factsOf } from './format.js'
import type { RenderOptions } from './renderer.js'
import { writeText } from './write.js'

/** Renders the tables of a result to text, in pieces of any size. */
export async function renderPieces(
  tables: readonly Table[],
  options: RenderOptions & { readonly format: Format },
): Promise<Iterable<string>> {
  const renderer = await factsOf(options.format).renderer()
  return renderer(tables, options)
}

/** Renders the tables of a result to a stream; resolves when everything is written. Respects backpressure. */
export async function render(
  tables: readonly Table[],
  options: RenderOptions & { readonly format: Format },
  out: Writable,
): Promise<void> {
  await writeText(out, await renderPieces(tables, options))
}
