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
  word,
} from './schema.js'

const TIME = text('RFC 3339, `now`, or `now-1h` and its like.')
const INSTANT = text('ISO 8601 in UTC, up to nine digits of fraction.')
const CURSOR = text('The place of a row; cursors sort as their rows do.')

const DATASET_STATS = {
  name: TEXT,
  numEvents: COUNT,
  numFields: COUNT,
  compressedBytes: count('What it takes on the disk.'),
  minTime: { ...INSTANT, description: 'The time of the first event.' },
  maxTime: { ...INSTANT, description: 'The time of the last event.' },
}

const queryFields = {
  startTime: { ...TIME, description: `The oldest event time. ${TIME.description}` },
  endTime: { ...TIME, description: `The event time to stop before. ${TIME.description}` },
  cursor: { ...CURSOR, description: 'Go on behind the row of this cursor.' },
  includeCursor: flag("Begin with the cursor's own row."),
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
      problems: listOf(ref('Problem'), 'All that is wrong with the query.'),
    },
    { optional: ['detail', 'problems'] },
  ),
  Problem: object(
    {
      code: text('A stable word for what is wrong.'),
      message: TEXT,
      span: object({
        start: count('The first UTF-16 unit of the query that it is about, from 0.'),
        end: count('The unit behind the last one.'),
      }),
      label: TEXT,
      help: TEXT,
    },
    { optional: ['label', 'help'] },
  ),
  Event: {
    type: 'object',
    description: 'Any object. Nested objects are fields with dots in their names.',
  },
  IngestResult: object(
    {
      ingested: count('Events that were stored.'),
      failed: count('Events that were not, whether or not they are listed.'),
      failures: listOf(
        ref('IngestFailure'),
        'The first 1,000 events that were not stored, or as many as `x-service-failure-limit` says.',
      ),
      failuresOmitted: count('Failures that are counted and not listed.'),
      processedBytes: count('The length of the body, uncompressed.'),
      blocksCreated: COUNT,
      walLength: COUNT,
    },
    { optional: ['failuresOmitted'] },
  ),
  IngestFailure: object(
    {
      timestamp: INSTANT,
      error: text('Why the event was not stored.'),
      index: count('The place of the event in the request, from 0.'),
      line: { type: 'integer', minimum: 1, description: 'The line it begins on.' },
    },
    { optional: ['index', 'line'] },
  ),
  Order: object({ field: TEXT, desc: FLAG }, { optional: ['desc'] }),
  AplRequest: object(
    {
      apl: text('The query.', { minLength: 1 }),
      ...queryFields,
      includeCursorField: flag('Add a column `_cursor`.'),
      defaultLimit: count('The most rows, where the query does not ask for fewer.'),
      defaultOrder: listOf(ref('Order'), 'The order of events where the query states none.'),
      libraries: listOf(TEXT),
      queryOptions: ref('QueryOptions'),
      variables: mapOf(ANYTHING, 'Names that the query may use.'),
    },
    {
      optional: [
        ...Object.keys(queryFields),
        'includeCursorField',
        'defaultLimit',
        'defaultOrder',
        'libraries',
        'queryOptions',
        'variables',
      ],
    },
  ),
  QueryOptions: object(
    {
      disableCache: FLAG,
      disableStats: FLAG,
      disableTrace: FLAG,
      maxDataPoints: COUNT,
      maxSeries: COUNT,
      noAggregation: FLAG,
      noFill: FLAG,
      noInterpolation: FLAG,
      priority: word(['low', 'medium', 'high'], 'How urgent it is.'),
      resolution: text('A step of time, such as `1m`, or `auto`.'),
    },
    { optional: 'all' },
  ),
  Status: object(
    {
      elapsedTime: count('Microseconds.'),
      minCursor: { ...CURSOR, description: 'The smallest cursor of the page.' },
      maxCursor: { ...CURSOR, description: 'The largest cursor of the page.' },
      blocksExamined: COUNT,
      blocksCached: COUNT,
      blocksMatched: COUNT,
      rowsExamined: COUNT,
      rowsMatched: count('The rows that match, whatever the limit.'),
      numGroups: COUNT,
      isPartial: flag('A part of the data could not be examined.'),
      cacheStatus: COUNT,
      minBlockTime: INSTANT,
      maxBlockTime: INSTANT,
      messages: listOf(
        object({ priority: TEXT, code: TEXT, count: COUNT, msg: TEXT }),
        'What is to be known about the result, such as that a limit cut it.',
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
            type: text('A type, or several with `|` between them.'),
            agg: object({ name: TEXT, fields: listOf(TEXT), args: listOf(ANYTHING) }),
          },
          { optional: ['agg'] },
        ),
      ),
      order: listOf(ref('Order')),
      groups: listOf(object({ name: TEXT })),
      range: object({ field: TEXT, start: INSTANT, end: INSTANT }),
      buckets: object({ field: TEXT, size: count('Nanoseconds.') }),
      columns: listOf(listOf(ANYTHING), 'The values of each field, for all rows.'),
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
  LegacyRequest: object(
    {
      ...queryFields,
      limit: COUNT,
      order: listOf(ref('Order')),
      resolution: TEXT,
      aggregations: listOf(
        object(
          { op: TEXT, field: TEXT, alias: TEXT, argument: ANYTHING },
          { optional: ['field', 'alias', 'argument'] },
        ),
      ),
      groupBy: listOf(TEXT),
      filter: ref('LegacyFilter'),
      virtualFields: listOf(object({ alias: TEXT, expr: TEXT })),
      project: listOf(object({ field: TEXT, alias: TEXT }, { optional: ['alias'] })),
    },
    { optional: 'all' },
  ),
  LegacyFilter: object(
    {
      op: TEXT,
      field: TEXT,
      value: ANYTHING,
      caseSensitive: FLAG,
      children: listOf(ref('LegacyFilter')),
    },
    { optional: ['field', 'value', 'caseSensitive', 'children'] },
  ),
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
  StarredQuery: object(
    {
      dataset: TEXT,
      kind: { const: 'apl' },
      metadata: mapOf(TEXT),
      name: text('What it is called.', { minLength: 1 }),
      query: ref('AplRequest'),
      who: text('Whose it is: an id, `team`, `all` or `user`.', { minLength: 1 }),
    },
    { optional: ['dataset'] },
  ),
  StarredQueryWithId: { allOf: [ref('StarredQuery'), object({ id: TEXT })] },
  Check: object({
    columns: listOf(object({ name: TEXT, type: TEXT })),
    apl: text('The query as it was understood.'),
    sql: text('What it compiles to.'),
  }),
  DatasetStats: object(DATASET_STATS, { optional: ['minTime', 'maxTime'] }),
  DatasetInfo: object(
    { ...DATASET_STATS, fields: listOf(object({ name: TEXT, type: TEXT })) },
    { optional: ['minTime', 'maxTime'] },
  ),
  Trim: object({ before: { ...TIME, description: `Older events go. ${TIME.description}` } }),
  Trimmed: object({ deleted: count('Events that were deleted.') }),
  Dataset: object({ id: TEXT, name: TEXT }),
  Health: object({ status: TEXT }),
}
