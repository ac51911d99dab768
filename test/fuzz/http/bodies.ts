import fc from 'fast-check'

/** An endpoint that accepts JSON, with a valid body. */
export interface Endpoint {
  readonly method: string
  readonly path: string
  readonly body: unknown
}

const APL = {
  apl: 'logs | where status > n | summarize count() by bin_auto(_time)',
  startTime: '2026-01-01T00:00:00Z',
  endTime: 'now',
  cursor: '',
  includeCursor: true,
  includeCursorField: false,
  defaultLimit: 10,
  defaultOrder: [{ field: '_time', desc: true }],
  libraries: ['a'],
  queryOptions: {
    disableCache: true,
    maxDataPoints: 10,
    maxSeries: 10,
    noFill: true,
    priority: 'low',
    resolution: '1h',
    shortPages: true,
  },
  variables: { n: 5, s: 'x', list: [1, 2], object: { a: 1 } },
}

const LEGACY = {
  startTime: '2026-01-01T00:00:00Z',
  endTime: 'now',
  resolution: 'auto',
  limit: 10,
  aggregations: [
    { op: 'count', field: '*', alias: 'n' },
    { op: 'percentiles', field: 'status', argument: [50, 99] },
    { op: 'topk', field: 'uri', argument: 3 },
  ],
  groupBy: ['uri'],
  filter: {
    op: 'and',
    children: [
      { op: '==', field: 'status', value: 200 },
      { op: 'contains', field: 'uri', value: 'a', caseSensitive: false },
      { op: 'not', children: [{ op: 'exists', field: 'nope' }] },
    ],
  },
  virtualFields: [{ alias: 'double', expr: 'status * 2' }],
  order: [{ field: 'status', desc: true }],
}

const STARRED = {
  name: 'a query',
  kind: 'apl',
  who: 'team',
  dataset: 'logs',
  metadata: { a: 'b' },
  query: { apl: 'logs | count', startTime: 'now-1h', queryOptions: { resolution: '1h' } },
}

export const PLACES: readonly Endpoint[] = [
  { method: 'POST', path: '/v1/datasets/_apl?format=tabular', body: APL },
  { method: 'POST', path: '/v1/datasets/_apl?format=legacy', body: APL },
  { method: 'POST', path: '/v1/datasets/_apl/check', body: APL },
  { method: 'POST', path: '/v1/datasets/logs/query', body: LEGACY },
  {
    method: 'POST',
    path: '/v1/datasets/logs/query',
    body: { ...LEGACY, aggregations: [], groupBy: [], project: [{ field: 'uri', alias: 'u' }] },
  },
  { method: 'POST', path: '/v2/apl-starred-queries', body: STARRED },
  { method: 'PUT', path: '/v2/apl-starred-queries/nope', body: STARRED },
]

/** Values that replace those of an expected type. */
const ODD: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(
    ...[null, true, '', ' ', 0, -1, 1.5, 1e308, -0, 2 ** 53, [], {}, [[]], [null], { '': '' }],
    ...[
      '__proto__',
      'constructor',
      'toString',
      '\0',
      '\ud800',
      '🦆',
      '*',
      '_time',
      'now-99999999d',
    ],
    ...['9999-12-31T23:59:59.999999999Z', '0001-01-01T00:00:00Z', 'x'.repeat(5_000)],
    ...['zzzzzzzzzzzzz-0-0', '0000000000000', '-1h', '1e9d', '0s'],
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
)

/** A valid body in which some members are replaced, removed or added. */
export function oddBody(body: unknown): fc.Arbitrary<string> {
  const change = fc.record({
    at: fc.nat(),
    how: fc.constantFrom('set', 'remove', 'add'),
    value: ODD,
  })
  const changed = fc.array(change, { minLength: 1, maxLength: 3 }).map((changes) => {
    const copy: unknown = structuredClone(body)
    for (const { at, how, value } of changes) {
      const places = placesIn(copy)
      const place = places[at % places.length]
      if (place === undefined) continue
      if (how === 'set') place.holder[place.key] = structuredClone(value)
      else if (how === 'remove') delete place.holder[place.key]
      else place.holder[`${typeof value}${at % 10}`] = structuredClone(value)
    }
    return JSON.stringify(copy)
  })
  return fc.oneof({ weight: 9, arbitrary: changed }, { weight: 1, arbitrary: fc.json() })
}

interface Member {
  readonly holder: Record<string, unknown>
  readonly key: string
}

/** All members of the objects and lists in a value. */
function placesIn(value: unknown): readonly Member[] {
  if (typeof value !== 'object' || value === null) return []
  const holder = value as Record<string, unknown>
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...placesIn(holder[key])])
}
