import type { Writable } from 'node:stream'
import type { Table } from '../wire/http/query.js'
import { type Format, factsOf } from './format.js'
import type { RenderOptions } from './renderer.js'
import { writeText } from './write.js'

/** The tables of a result as text, in pieces of any size. */
export async function renderPieces(
  tables: readonly Table[],
  options: RenderOptions & { readonly format: Format },
): Promise<Iterable<string>> {
  const renderer = await factsOf(options.format).renderer()
  return renderer(tables, options)
}

/** Writes the tables of a result as text; resolves when all of it has left, at the reader's pace. */
export async function render(
  tables: readonly Table[],
  options: RenderOptions & { readonly format: Format },
  out: Writable,
): Promise<void> {
  await writeText(out, await renderPieces(tables, options))
}
