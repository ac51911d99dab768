import type { Parameter } from '../function/signature.js'

/** What says, in the aggregations whose names end in `if`, which rows take part. */
export const PREDICATE: Parameter = { name: 'predicate', accepts: ['bool'] }
