// Counts, in one scan, the rows that each condition of a segment lets through.
import type { Segment } from '../../../../apl/language.js'
import { MalformedResponseError } from '../../../../wire/http/response-json.js'
import type { JsonText } from '../../../../wire/json/json-text.js'
import type { AskRow } from '../../../query/ask-rows.js'

export interface SegmentCount {
  readonly rows: number
  /** For each condition, the rows that meet it and all conditions before it. */
  readonly matched: readonly number[]
  /** For each condition, the rows that meet it, regardless of the other conditions. */
  readonly alone: readonly number[]
  /** The times of the first and the last event at the start, and of the newest event that meets all conditions, as JSON. */
  readonly first: JsonText | undefined
  readonly last: JsonText | undefined
  readonly newestMatch: JsonText | undefined
}

/** Counts the rows of a segment; `hasTimes` is true when the rows are events. */
export async function countSegment(
  { apl, steps }: Segment,
  { askRow, hasTimes }: { readonly askRow: AskRow; readonly hasTimes: boolean },
): Promise<SegmentCount> {
  const operators: string[] = []
  const terms: string[] = []
  const lastExtension = steps.findLastIndex(({ kind }) => kind === 'extension')
  for (const [index, step] of steps.entries()) {
    if (step.kind === 'extension') operators.push(step.text)
    // An extension may replace a field of an earlier condition.
    else if (index < lastExtension) {
      operators.push(`extend met_${index}_ = (${step.text})`)
      terms.push(`met_${index}_`)
    } else terms.push(`(${step.text})`)
  }
  const all = terms.length === 0 ? 'true' : terms.join(' and ')
  const columns = [
    'rows_ = count()',
    ...terms.flatMap((term, index) => [
      `alone_${index}_ = countif(${term})`,
      `matched_${index}_ = countif(${terms.slice(0, index + 1).join(' and ')})`,
    ]),
    ...(hasTimes
      ? ['first_ = min(_time)', 'last_ = max(_time)', `newest_ = maxif(_time, ${all})`]
      : []),
  ]
  const row = await askRow([apl, ...operators, `summarize ${columns.join(', ')}`].join('\n| '))
  const count = (name: string) => {
    const cell = row(name)
    if (cell === undefined) throw new MalformedResponseError(`it has no count \`${name}\``)
    return Number(cell)
  }
  return {
    rows: count('rows_'),
    matched: terms.map((_, index) => count(`matched_${index}_`)),
    alone: terms.map((_, index) => count(`alone_${index}_`)),
    first: row('first_'),
    last: row('last_'),
    newestMatch: row('newest_'),
  }
}

/** Returns the rows of a segment that meet the first `count` conditions, as a query. */
export function rowsMeeting({ apl, steps }: Segment, count: number): string {
  let met = 0
  const operators = steps.flatMap((step) => {
    if (step.kind === 'extension') return [step.text]
    met += 1
    return met <= count ? [`where ${step.text}`] : []
  })
  return [apl, ...operators].join('\n| ')
}
