import { ANY, first, type Signature } from '../signature.js'

/** Functions that ask what is known of the fields: answered when the query is checked. */
export const METADATA_FUNCTIONS = {
  column_ifexists: {
    parameters: [
      { name: 'name', accepts: ['string'], constant: true },
      { name: 'default', accepts: ANY },
    ],
    result: first,
    summary: 'the field of that name; where there is none, the default',
  },
  ensure_field: {
    parameters: [
      { name: 'name', accepts: ['string'], constant: true },
      { name: 'type', accepts: ANY },
    ],
    result: first,
    summary: 'the field of that name as a value of the type; where there is none, null',
  },
  ingestion_time: {
    parameters: [],
    result: 'datetime',
    summary: 'the time at which the event arrived, which is `_sysTime`',
  },
} satisfies Record<string, Signature>
