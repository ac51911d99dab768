import type { Running } from './running.js'

/** The tests' events are within this range. */
const RANGE = { startTime: '1950-01-01T00:00:00Z', endTime: '2250-01-01T00:00:00Z' }

type Asked = Pick<Running, 'send'>

async function ask(service: Asked, apl: string) {
  const { body } = await service.send({
    path: '/v1/datasets/_apl?format=tabular',
    body: JSON.stringify({ apl, ...RANGE }),
  })
  return body.tables[0]
}

/** Returns the rows of a query as lists of values. */
export async function rowsOf(service: Asked, apl: string): Promise<unknown[][]> {
  const { columns } = await ask(service, apl)
  return (columns[0] ?? []).map((_: unknown, row: number) =>
    columns.map((column: readonly unknown[]) => column[row]),
  )
}

/** Returns the rows of a query as objects. */
export async function objectsOf(
  service: Asked,
  apl: string,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { fields, columns } = await ask(service, apl)
  const names = fields.map(({ name }: { readonly name: string }) => name)
  return (columns[0] ?? []).map((_: unknown, row: number) =>
    Object.fromEntries(names.map((name: string, i: number) => [name, columns[i][row]])),
  )
}

/** Returns the events of a dataset in the order of their times, without `_sysTime` and nulls. */
export async function eventsOf(
  service: Asked,
  dataset: string,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const rows = await objectsOf(service, `['${dataset}'] | sort by _time asc`)
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).filter(([name, value]) => name !== '_sysTime' && value !== null),
    ),
  )
}
