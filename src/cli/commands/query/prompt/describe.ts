import { datasets, managedDatasets } from '../../../../client/datasets.js'
import { ApiError } from '../../../../client/error.js'
import { query } from '../../../../client/query.js'
import { counted } from '../../../../text/integer.js'
import { quotedName } from '../../../query/quoted-name.js'
import { interruptible } from '../../../terminal/interrupt.js'
import { type ListColumn, printList } from '../../../terminal/listing.js'
import type { PromptQueries } from './queries.js'

/** Prints the datasets with their sizes and times, or only their names if the deployment reports nothing else. */
export async function describeDatasets({
  context,
  connection,
  printFlags,
}: PromptQueries): Promise<void> {
  await interruptible(async ({ signal }) => {
    const { listDatasets } = await import('../../dataset/list.js')
    const managed = managedDatasets(connection, signal)
    try {
      await listDatasets(printFlags, { datasets: managed, context })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const rows = await datasets(connection, { signal })
      const columns = [{ name: 'name', of: (name: string) => name }]
      await printList({ rows, columns }, context, printFlags)
    }
  })
}

/** The number of events, the newest ones, from which the counts and examples of fields are taken. */
const MAX_EVENTS = 100_000
/** The maximum number of fields: each field costs two aggregations. */
const MAX_FIELDS = 200
const EXAMPLES = 3

/** Prints the fields of a dataset: type, number of values and most frequent values among the newest events. */
export async function describeDataset(
  dataset: string,
  { context, connection, printFlags }: PromptQueries,
): Promise<void> {
  const source = quotedName(dataset.replace(/^\['(.*)'\]$/s, '$1').replace(/;$/, ''))
  await interruptible(async ({ signal }) => {
    const ask = async (apl: string) => {
      const { tables } = await query(connection, { apl }, { signal })
      return (tables[0]?.columns ?? []).map((cells) =>
        cells.map((cell): unknown => JSON.parse(cell)),
      )
    }
    const [names = [], types = []] = await ask(
      `${source} | getschema | project ColumnName, ColumnType`,
    )
    const shown = names.slice(0, MAX_FIELDS).map(String)
    const values = await ask(`${source} | take ${MAX_EVENTS} | ${statisticsOf(shown)}`)
    const events = Number(values[0]?.[0] ?? 0)
    const counts = shown.map((_, i) => values[1 + 2 * i]?.[0] ?? 0)
    const rows = shown.map((field, i) => ({
      field,
      type: types[i],
      count: counts[i],
      examples: examplesText(values[2 + 2 * i]?.[0]),
    }))
    const columns: readonly ListColumn<(typeof rows)[number]>[] = [
      { name: 'field', of: ({ field }) => field },
      { name: 'type', of: ({ type }) => type },
      { name: 'count', type: 'integer', of: ({ count }) => count, isSpare: true },
      { name: 'examples', of: ({ examples }) => examples, isSpare: true },
    ]
    await printList({ rows, columns }, context, printFlags)
    const newest = events === MAX_EVENTS ? 'the newest ' : ''
    context.info(
      `${counted(names.length, 'field')}${names.length > MAX_FIELDS ? `, the first ${MAX_FIELDS} shown` : ''}; counts and examples of ${newest}${counted(events, 'event')}`,
    )
  })
}

function statisticsOf(fields: readonly string[]): string {
  const each = fields
    .map(quotedName)
    .flatMap((field, i) => [
      `c${i} = countif(isnotnull(${field}))`,
      `e${i} = topk(${field}, ${EXAMPLES})`,
    ])
  return `summarize ${['n = count()', ...each].join(', ')}`
}

/** Formats the result of `topk`: the values, the most frequent first. */
function examplesText(found: unknown): string {
  const entries = Array.isArray(found) ? (found as readonly { readonly key?: unknown }[]) : []
  return entries
    .map(({ key }) => (typeof key === 'string' ? key : JSON.stringify(key)))
    .filter((text) => text !== undefined && text !== 'null')
    .join(', ')
}
