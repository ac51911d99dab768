import type { Page } from './page.js'
import type { Paging } from './request.js'

/** The first page is for the reader who waits for it. */
export const FIRST_ROWS = 1_000
/** What a page of long rows has in memory. */
const PAGE_BYTES = 16 * 1024 * 1024

/** How many rows the next request asks for, where pages grow: as many as fit, by what the last page had. */
export function pageSizeAfter(
  last: Pick<Page, 'rows' | 'bytes'> | undefined,
  { pageSize, isGrowing }: Paging,
): number {
  if (isGrowing !== true) return pageSize
  if (last === undefined || last.rows === 0) return Math.min(FIRST_ROWS, pageSize)
  const fitting = Math.floor(PAGE_BYTES / (last.bytes / last.rows))
  return Math.min(Math.max(fitting, 1), pageSize)
}
