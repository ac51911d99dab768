import type { CompiledQuery } from '../../sql/compiled-query.js'
import type { PageStart } from '../../sql/cursor.js'
import type { AplRequest } from '../../wire/http/query.js'
import { RefusedError } from '../refused-error.js'
import { requestCursor } from './cursor.js'

/** The column with the cursor of each row. */
export const CURSOR_FIELD = '_cursor'

/** What a request asks of cursors. */
export interface Paging {
  readonly from?: PageStart
  /** Whether each row shows its cursor. */
  readonly hasField: boolean
}

/** Where the page of a request begins, and whether its rows show their cursors. */
export function requestPaging(request: AplRequest): Paging {
  const cursor = requestCursor(request.cursor)
  const isIncluded = request.includeCursor === true
  return {
    ...(cursor && { from: { cursor, isIncluded } }),
    hasField: request.includeCursorField === true,
  }
}

/** Passing over a cursor in silence would give a page that is none. */
export function refuseCursors(compiled: CompiledQuery, paging: Paging): void {
  const { eventOrder, columns, spansDatasets } = compiled
  const asked = paging.from ? 'cursor' : paging.hasField ? 'includeCursorField' : undefined
  if (asked === undefined) return
  if (eventOrder === undefined) {
    throw new RefusedError(
      'invalid-request',
      `\`${asked}\` does not go with this query: only events in the order of \`_time\`, each of them once, have cursors.`,
    )
  }
  const { cursor } = paging.from ?? {}
  if (cursor !== undefined && spansDatasets !== (cursor.dataset !== undefined)) {
    throw new RefusedError(
      'invalid-request',
      '`cursor` is from another query: among the events of several datasets it tells which one an event is in, and only there.',
    )
  }
  if (paging.hasField && columns.some(({ name }) => name === CURSOR_FIELD)) {
    throw new RefusedError(
      'invalid-request',
      `\`includeCursorField\` adds a column \`${CURSOR_FIELD}\`, which the query has already.`,
    )
  }
}
