import {
  ANYTHING,
  COUNT,
  count,
  FLAG,
  flag,
  listOf,
  mapOf,
  object,
  ref,
  type Schema,
  TEXT,
  text,
} from '../../wire/shape/json-schema.js'
import { BATCH_REMOVAL_SCHEMA } from '../dataset/remove-batches.js'
import { FILTER } from '../legacy/decode-filter.js'
import { LEGACY_REQUEST } from '../legacy/decode-request.js'
import { APL_REQUEST_SCHEMA, ORDER, QUERY_OPTIONS } from '../query/apl-request.js'
import { STARRED_QUERY_SCHEMA } from '../starred/decode.js'

const TIME = text('RFC 3339, `now`, or relative such as `now-1h`.')
const INSTANT = text('ISO 8601 in UTC, up to nine digits of fraction.')
const CURSOR = text('The position of a row. Cursors sort like their rows.')

const DATASET_STATS = {
  name: TEXT,
  numEvents: COUNT,
  numFields: COUNT,
  compressedBytes: count('The size on disk.'),
  minTime: { ...INSTANT, description: 'The time of the first event.' },
  maxTime: { ...INSTANT, description: 'The time of the last event.' },
}

/** The schemas of requests and responses, by name. */
export const SCHEMAS: Readonly<Record<string, Schema>> = {
  Error: object(
    {
      code: { type: ['integer', 'string'] },
      message: TEXT,
      detail: object(
        {
          errorType: TEXT,
          compileErrorCode: TEXT,
          line: COUNT,
          column: COUNT,
          message: TEXT,
        },
        { optional: 'all' },
      ),
      problems: listOf(ref('Problem'), 'All problems of the query.'),
    },
    { optional: ['detail', 'problems'] },
  ),
  Problem: object(
    {
      code: text('A stable problem code.'),
      message: TEXT,
      span: object({
        start: count('The offset of the start in the query, in UTF-16 code units from 0.'),
        end: count('The offset of the end, exclusive.'),
      }),
      label: TEXT,
      help: TEXT,
    },
    { optional: ['label', 'help'] },
  ),
  Event: {
    type: 'object',
    description: 'Any object. Members of nested objects are fields with dots in their names.',
  },
  IngestResult: object(
    {
      ingested: count('The number of stored events.'),
      failed: count('Events that were rejected, whether or not they are listed.'),
      failures: listOf(
        ref('IngestFailure'),
        'The first rejected events, at most `x-service-failure-limit`.',
      ),
      failuresOmitted: count('The number of failures that are not listed.'),
      processedBytes: count('The length of the body, uncompressed.'),
      blocksCreated: COUNT,
      walLength: COUNT,
    },
    { optional: ['failuresOmitted'] },
  ),
  IngestFailure: object(
    {
      timestamp: INSTANT,
      error: text('The reason why the event was rejected.'),
      index: count('The index of the event in the request, from 0.'),
      line: { type: 'integer', minimum: 1, description: 'The line that the event starts on.' },
    },
    { optional: ['index', 'line'] },
  ),
  Order: ORDER.schema,
  AplRequest: APL_REQUEST_SCHEMA,
  QueryOptions: QUERY_OPTIONS.schema,
  Status: object(
    {
      elapsedTime: count('Microseconds.'),
      minCursor: { ...CURSOR, description: 'The smallest cursor of the page.' },
      maxCursor: { ...CURSOR, description: 'The largest cursor of the page.' },
      blocksExamined: COUNT,
      blocksCached: COUNT,
      blocksMatched: COUNT,
      rowsExamined: COUNT,
      rowsMatched: count('The number of matching rows, regardless of the limit.'),
      numGroups: COUNT,
      isPartial: flag('True when some of the data could not be examined.'),
      cacheStatus: COUNT,
      minBlockTime: INSTANT,
      maxBlockTime: INSTANT,
      messages: listOf(
        object({ priority: TEXT, code: TEXT, count: COUNT, msg: TEXT }),
        'Notes about the result, such as that it is truncated.',
      ),
    },
    { optional: ['messages'] },
  ),
  FieldMeta: object({ name: TEXT, type: TEXT, unit: TEXT, hidden: FLAG, description: TEXT }),
  Table: object(
    {
      name: TEXT,
      sources: listOf(object({ name: TEXT })),
      fields: listOf(
        object(
          {
            name: TEXT,
            type: text('A type, or several separated by `|`.'),
            agg: object({ name: TEXT, fields: listOf(TEXT), args: listOf(ANYTHING) }),
          },
          { optional: ['agg'] },
        ),
      ),
      order: listOf(ref('Order')),
      groups: listOf(object({ name: TEXT })),
      range: object({ field: TEXT, start: INSTANT, end: INSTANT }),
      buckets: object({ field: TEXT, size: count('Nanoseconds.') }),
      columns: listOf(listOf(ANYTHING), 'The values of each field in all rows.'),
    },
    { optional: ['range', 'buckets'] },
  ),
  TabularResult: object({
    format: { const: 'tabular' },
    status: ref('Status'),
    tables: listOf(ref('Table')),
    datasetNames: listOf(TEXT),
    fieldsMetaMap: mapOf(listOf(ref('FieldMeta'))),
  }),
  LegacyRequest: LEGACY_REQUEST.schema,
  LegacyFilter: FILTER.schema,
  LegacyResult: object({
    status: ref('Status'),
    matches: listOf(
      object({ _time: INSTANT, _sysTime: INSTANT, _rowId: CURSOR, data: { type: 'object' } }),
    ),
    buckets: object({
      series: listOf(
        object({ startTime: INSTANT, endTime: INSTANT, groups: listOf(ref('LegacyGroup')) }),
      ),
      totals: listOf(ref('LegacyGroup')),
    }),
    request: { type: 'object' },
    datasetNames: listOf(TEXT),
    fieldsMetaMap: mapOf(listOf(ref('FieldMeta'))),
  }),
  LegacyGroup: object({
    id: { type: ['integer', 'string'] },
    group: { type: 'object' },
    aggregations: listOf(object({ op: TEXT, value: ANYTHING })),
  }),
  StarredQuery: STARRED_QUERY_SCHEMA,
  StarredQueryWithId: { allOf: [ref('StarredQuery'), object({ id: TEXT })] },
  Check: object({
    columns: listOf(object({ name: TEXT, type: TEXT })),
    apl: text('The query as parsed, formatted.'),
    sql: text('The compiled SQL.'),
  }),
  DatasetStats: object(DATASET_STATS, { optional: ['minTime', 'maxTime'] }),
  DatasetInfo: object(
    { ...DATASET_STATS, fields: listOf(object({ name: TEXT, type: TEXT })) },
    { optional: ['minTime', 'maxTime'] },
  ),
  Trim: object({
    before: { ...TIME, description: `Events before this time are deleted. ${TIME.description}` },
  }),
  Trimmed: object({ deleted: count('The number of deleted events.') }),
  BatchRemoval: BATCH_REMOVAL_SCHEMA,
  BatchesRemoved: object({
    removed: count('The number of events that the batches had, also in a repeated request.'),
  }),
  Dataset: object({ id: TEXT, name: TEXT }),
  Health: object({ status: TEXT }),
}
