import { sql } from '../sql/sql.js'
import { textsIn } from './answer.js'
import { type BatchAnswers, marksSql } from './batch-answers.js'
import { tableOf } from './catalog.js'
import type { Growing } from './odd-batch.js'

/** What there is of a batch that came before. */
export type BatchPast =
  | { readonly kind: 'told'; readonly answer: string }
  /** Stored, but a crash came before it was written down what the sender was told, if anything. */
  | { readonly kind: 'stored'; readonly rows: number }

/** What there is of the batches with these marks, of one dataset; nothing of those that are new. */
export async function batchPasts(
  marks: readonly bigint[],
  { target, answers }: { readonly target: Growing; readonly answers: BatchAnswers },
): Promise<ReadonlyMap<bigint, BatchPast>> {
  if (marks.length === 0) return new Map()
  const [told, stored] = await Promise.all([
    answers.find(target.name, marks),
    storedRows(target, marks),
  ])
  const pasts = new Map<bigint, BatchPast>()
  for (const [mark, rows] of stored) pasts.set(mark, { kind: 'stored', rows })
  for (const [mark, answer] of told) pasts.set(mark, { kind: 'told', answer })
  return pasts
}

async function storedRows(
  { name, engine, current }: Growing,
  marks: readonly bigint[],
): Promise<ReadonlyMap<bigint, number>> {
  if (current() === undefined) return new Map()
  const answer = await engine.ask(sql`
    SELECT toString(_batch) AS mark, toString(count()) AS rows FROM ${tableOf(name)}
    WHERE _batch IN (${marksSql(marks)}) GROUP BY _batch`)
  const rows = textsIn(answer, 'rows')
  return new Map(textsIn(answer, 'mark').map((mark, i) => [BigInt(mark), Number(rows[i])]))
}
