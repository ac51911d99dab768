import type { Batch } from '../batch.js'
import type { SpareBuffers } from '../buffer-pool.js'
import { sourcesOf } from '../locate.js'
import { insertion, type Rewriter } from './edit.js'
import { rewriteBatch } from './rewrite.js'

/** The field with the name of the file that an event was read from. */
export const FILE_FIELD = '_file'
/** The fields with the position of an event in its file. */
export const POSITION_FIELDS: readonly string[] = ['_line', '_offset']
/** The fields that locate an event: its file, and the position in it. */
export const PLACE_FIELDS: readonly string[] = [FILE_FIELD, ...POSITION_FIELDS]

/**
 * Returns a batch whose events have the fields `_file`, `_line` and `_offset` of their sources. An event has no `_line`
 * where the format has no lines.
 */
export function withSourceFields(batch: Batch, spare: SpareBuffers): Batch {
  const source = sourcesOf(batch)
  const file = Buffer.from(JSON.stringify(batch.input)).toString('latin1')
  const rewrite: Rewriter = (bytes) => (event, index) => {
    const { line, offset } = source(index) ?? {}
    if (offset === undefined) return []
    const place = line === undefined ? '' : `"_line":${line},`
    return insertion(bytes, event, `"_file":${file},${place}"_offset":${offset}`)
  }
  return rewriteBatch(batch, rewrite, spare)
}
