import type { CompiledQuery } from '../../sql/compiled-query.js'
import type { PageStart } from '../../sql/cursor.js'
import {
  NATIVE_RESULT,
  NATIVE_RESULT_WITH_DOUBLES,
  type NativeReals,
} from '../../wire/http/native-result.js'
import type { AplRequest } from '../../wire/http/query.js'
import { invalidRequest } from '../refused-error.js'
import { requestCursor } from './cursor.js'

/** The column with the cursor of each row. */
export const CURSOR_FIELD = '_cursor'

export interface Paging {
  readonly from?: PageStart
  /** True when rows include their cursors. */
  readonly hasField: boolean
  /** True when a page may have fewer rows than its limit although more follow. */
  readonly mayBeShort: boolean
  /** The form of floating-point numbers, if the client reads rows in the format Native. */
  readonly native?: NativeReals | undefined
  readonly isBackward?: boolean
}

/** Decodes the cursor options of a request. `accept` is its `Accept` header. */
export function requestPaging(request: AplRequest, accept: string | undefined): Paging {
  const cursor = requestCursor(request.cursor)
  const isIncluded = request.includeCursor === true
  const hasField = request.includeCursorField === true
  return {
    from: cursor && { cursor, isIncluded },
    hasField,
    mayBeShort: request.queryOptions?.shortPages === true,
    ...(request.queryOptions?.backward === true && { isBackward: true }),
    native: hasField ? undefined : nativeReals(accept),
  }
}

function nativeReals(accept = ''): NativeReals | undefined {
  if (accept.includes(NATIVE_RESULT_WITH_DOUBLES)) return 'doubles'
  return accept.includes(NATIVE_RESULT) ? 'texts' : undefined
}

/** Returns the member of the request that requires rows with cursors; undefined when no member does. */
function memberOf({ from, isBackward, hasField }: Paging): string | undefined {
  if (from) return 'cursor'
  if (isBackward) return 'backward'
  return hasField ? 'includeCursorField' : undefined
}

/** Throws a `RefusedError` when the query does not support the cursor options: ignoring them would return a wrong page. */
export function refuseCursors(compiled: CompiledQuery, paging: Paging): void {
  const { eventOrder, columns, cursorDatasets } = compiled
  const member = memberOf(paging)
  if (member === undefined) return
  if (eventOrder === undefined) {
    throw invalidRequest(
      `\`${member}\` is not supported for this query: only distinct events in the order of \`_time\` have cursors.`,
    )
  }
  const { cursor } = paging.from ?? {}
  if (cursor !== undefined && !cursorDatasets.includes(cursor.dataset)) {
    throw invalidRequest(
      '`cursor` is from a query of other datasets. Use `status.minCursor` or `status.maxCursor` of a response to this query.',
    )
  }
  if (paging.hasField && columns.some(({ name }) => name === CURSOR_FIELD)) {
    throw invalidRequest(
      `\`includeCursorField\` adds a column \`${CURSOR_FIELD}\`, which the query already has.`,
    )
  }
}
