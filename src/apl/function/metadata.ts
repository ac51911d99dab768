import { ANY, constant, first, parameter, type Signature } from './signature.js'

/** Functions on the schema, resolved while the query is checked. */
export const METADATA_FUNCTIONS = {
  column_ifexists: {
    parameters: [constant('name', 'string'), parameter('default', ...ANY)],
    result: first,
    summary: 'the field with that name, or the default if there is none',
    example: `['logs'] | where column_ifexists("level", "info") == "error"`,
  },
  ensure_field: {
    parameters: [constant('name', 'string'), parameter('type', ...ANY)],
    result: first,
    summary: 'the field with that name as a value of the type, or null if there is none',
    example: `['logs'] | extend code = ensure_field("code", typeof(long))`,
  },
  ingestion_time: {
    parameters: [],
    result: 'datetime',
    summary: 'the time of arrival, `_sysTime`',
    example: "['logs'] | extend delay = ingestion_time() - _time",
  },
} satisfies Record<string, Signature>
