import { randomUUID } from 'node:crypto'
import { IDEMPOTENCY_KEY } from '../../wire/http/header.js'
import type { StarredQuery, StoredStarredQuery } from '../../wire/http/starred.js'
import { exactJsonText, parseExactJson } from '../../wire/json/exact-json.js'
import { readJson } from '../body/json-body.js'
import { json, type ServiceRequest } from '../http.js'
import { DOCUMENT_BODY_BYTES } from '../limits.js'
import { invalidRequest, RefusedError } from '../refused-error.js'
import type { Handler, Service } from '../route.js'
import { decodeStarredQuery } from './decode.js'

const DEFAULT_LIMIT = 100
const MAX = 1000

/** `GET /v2/apl-starred-queries`: saved queries by name, filtered by `dataset`, `who` and `qs`. */
export const listStarred: Handler = async ({ request }, { store }) => {
  const limit = Math.min(countIn(request, 'limit') ?? DEFAULT_LIMIT, MAX)
  const offset = countIn(request, 'offset') ?? 0
  const all = (await store.starredQueries.list()).map(stored).filter(matchesFilters(request))
  const byName = all.sort((a, b) => compare(a.name, b.name) || compare(a.id, b.id))
  return json(200, byName.slice(offset, offset + limit))
}

/** `GET /v2/apl-starred-queries/<id>` */
export const getStarred: Handler = async ({ parameters }, service) => {
  return json(200, await known(parameters.id ?? '', service))
}

/**
 * `POST /v2/apl-starred-queries`: saves a query under a new id, or under the id in `Idempotency-Key`. A repeated request with the
 * same id and query returns the saved query.
 */
export const createStarred: Handler = async ({ request }, service) => {
  const record = decodeStarredQuery(await readJson(request, DOCUMENT_BODY_BYTES))
  const id = idempotencyKey(request)
  if (id === undefined) return json(200, await save(randomUUID(), record, service))
  const before = await service.store.starredQueries.get(id)
  if (before === undefined) return json(200, await save(id, record, service))
  if (before.body !== exactJsonText(record)) {
    throw new RefusedError('exists', `There is another starred query \`${id}\`.`)
  }
  return json(200, stored(before))
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Returns the idempotency key of a request, a random id; undefined without a key. */
function idempotencyKey({ headers }: ServiceRequest): string | undefined {
  const key = headers[IDEMPOTENCY_KEY]
  if (key === undefined || UUID.test(key)) return key
  throw invalidRequest(
    'The header `Idempotency-Key` must be a random UUID (version 4) in lower case.',
  )
}

/** `PUT /v2/apl-starred-queries/<id>`: replaces a saved query. */
export const updateStarred: Handler = async ({ request, parameters }, service) => {
  const { id } = await known(parameters.id ?? '', service)
  const record = decodeStarredQuery(await readJson(request, DOCUMENT_BODY_BYTES))
  return json(200, await save(id, record, service))
}

/** `DELETE /v2/apl-starred-queries/<id>` */
export const deleteStarred: Handler = async ({ parameters }, service) => {
  const { id } = await known(parameters.id ?? '', service)
  await service.store.starredQueries.remove(id)
  return { status: 204, headers: {}, body: '' }
}

async function save(
  id: string,
  record: StarredQuery,
  { store }: Service,
): Promise<StoredStarredQuery> {
  await store.starredQueries.put({ id, body: exactJsonText(record) })
  return { id, ...record }
}

async function known(id: string, { store }: Service): Promise<StoredStarredQuery> {
  const document = await store.starredQueries.get(id)
  if (document === undefined) {
    throw new RefusedError('not-found', `There is no starred query \`${id}\`.`)
  }
  return stored(document)
}

function stored({ id, body }: { readonly id: string; readonly body: string }): StoredStarredQuery {
  return { id, ...(parseExactJson(body) as StarredQuery) }
}

/** Returns a function that is true for saved queries that match the filters of the request. */
function matchesFilters({ query }: ServiceRequest): (record: StoredStarredQuery) => boolean {
  const dataset = query.get('dataset')
  const who = query.get('who')
  const text = query.get('qs')?.toLowerCase() ?? ''
  return (record) =>
    (!dataset || record.dataset === dataset) &&
    (!who || record.who === who) &&
    `${record.name}\n${record.query.apl}`.toLowerCase().includes(text)
}

function countIn({ query }: ServiceRequest, name: string): number | undefined {
  const value = query.get(name)
  if (value === null || value === '') return undefined
  if (/^\d{1,9}$/.test(value)) return Number(value)
  throw invalidRequest(`\`${name}\` must be a non-negative integer.`)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
