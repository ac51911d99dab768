import { withLabels } from '../../wire/event/event-options.js'
import type { Batch } from '../batch.js'
import { sourcesOf } from '../locate.js'
import { rewriteBatch } from './rewrite.js'

/**
 * Returns a batch whose events have the fields `_file`, `_line` and `_offset` of their sources. An event has no `_line`
 * where the format has no lines.
 */
export function withSourceFields(batch: Batch): Batch {
  const source = sourcesOf(batch)
  const file = Buffer.from(JSON.stringify(batch.input)).toString('latin1')
  return rewriteBatch(batch, (event, index) => {
    const { line, offset } = source(index) ?? {}
    if (offset === undefined) return event
    const place = line === undefined ? '' : `"_line":${line},`
    return withLabels(event, `"_file":${file},${place}"_offset":${offset}`)
  })
}
