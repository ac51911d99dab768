import { APL_CHECK } from '../../wire/http/check.js'
import {
  ACCEPTED_LOSS,
  BATCHES_REMOVED,
  DAMAGE,
  DAMAGED_PART,
  DATASET,
  DATASET_FIELDS,
  DATASET_INFO,
  DATASET_STATS,
  RENAMED,
  TRIMMED,
} from '../../wire/http/dataset-info.js'
import { ERROR_BODY, PROBLEM } from '../../wire/http/error-body.js'
import { INGEST_FAILURE, INGEST_RESULT } from '../../wire/http/ingest.js'
import { LEGACY_GROUP, LEGACY_RESULT } from '../../wire/http/legacy-result.js'
import { APL_REQUEST, ORDER, QUERY_OPTIONS } from '../../wire/http/query.js'
import { STARRED_QUERY } from '../../wire/http/starred.js'
import { FIELD_META, QUERY_STATUS, TABLE, TABULAR_RESULT } from '../../wire/http/tabular-result.js'
import { count, type JsonSchema, listOf, object, TEXT } from '../../wire/shape/json-schema.js'
import { ORGANIZATION_SCHEMA, USER_SCHEMA } from '../account.js'
import { BATCH_REMOVAL, RENAME, RETENTION, TRIM } from '../dataset/change.js'
import { DATASET_SETTINGS, NEW_DATASET } from '../dataset/create.js'
import { LOSS_ACCEPTANCE } from '../dataset/damage.js'
import { LEGACY_REQUEST } from '../legacy/decode-request.js'
import { FILTER } from '../legacy/filter.js'
import { NEW_STARRED_QUERY } from '../starred/decode.js'

export const SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Error: ERROR_BODY.schema,
  Problem: PROBLEM.schema,
  Event: {
    type: 'object',
    description: 'Any object. Members of nested objects are fields with dots in their names.',
  },
  IngestResult: INGEST_RESULT.schema,
  IngestFailure: INGEST_FAILURE.schema,
  Order: ORDER.schema,
  AplRequest: APL_REQUEST.schema,
  QueryOptions: QUERY_OPTIONS.schema,
  Status: QUERY_STATUS.schema,
  FieldMeta: FIELD_META.schema,
  Table: TABLE.schema,
  TabularResult: TABULAR_RESULT.schema,
  LegacyRequest: LEGACY_REQUEST.schema,
  LegacyFilter: FILTER.schema,
  LegacyResult: LEGACY_RESULT.schema,
  LegacyGroup: LEGACY_GROUP.schema,
  StarredQuery: NEW_STARRED_QUERY.schema,
  StarredQueryWithId: STARRED_QUERY.schema,
  Check: APL_CHECK.schema,
  DatasetStats: DATASET_STATS.schema,
  DatasetInfo: DATASET_INFO.schema,
  Retention: RETENTION.schema,
  Rename: RENAME.schema,
  Renamed: RENAMED.schema,
  Trim: TRIM.schema,
  Trimmed: TRIMMED.schema,
  BatchRemoval: BATCH_REMOVAL.schema,
  BatchesRemoved: BATCHES_REMOVED.schema,
  Damage: DAMAGE.schema,
  DamagedPart: DAMAGED_PART.schema,
  LossAcceptance: LOSS_ACCEPTANCE.schema,
  AcceptedLoss: ACCEPTED_LOSS.schema,
  Dataset: DATASET.schema,
  DatasetFields: DATASET_FIELDS.schema,
  NewDataset: NEW_DATASET.schema,
  DatasetSettings: DATASET_SETTINGS.schema,
  User: USER_SCHEMA,
  Organization: ORGANIZATION_SCHEMA,
  Health: object({ status: TEXT }),
  Readiness: object(
    {
      status: TEXT,
      degradedShards: listOf(
        object({
          shard: count('The number of the shard, from 1.'),
          servers: count('The number of replicas of the shard.'),
          used: count('The number of replicas in use.'),
          lagging: count('The number of replicas in use that lag too much to be read.'),
        }),
        'The shards with replicas that are not in use, or that lag.',
      ),
    },
    { optional: ['degradedShards'] },
  ),
}
