import { first, type Signature, signature } from './signature.js'

/** Functions on the schema, resolved while the query is checked. */
export const METADATA_FUNCTIONS = {
  column_ifexists: signature('const name: string, default', first)(
    'the field with that name, or the default if there is none',
    `['logs'] | where column_ifexists("level", "info") == "error"`,
  ),
  ensure_field: signature('const name: string, type', first)(
    'the field with that name as a value of the type, or null if there is none',
    `['logs'] | extend code = ensure_field("code", typeof(long))`,
  ),
  ingestion_time: signature('', 'datetime')(
    'the time of arrival, `_sysTime`',
    "['logs'] | extend delay = ingestion_time() - _time",
  ),
} satisfies Record<string, Signature>
