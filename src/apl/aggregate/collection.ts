import { type Signature, signature } from '../function/signature.js'

/** The default maximum number of values of a list. */
export const LIST_LIMIT = 1_048_576n
/** The default maximum number of values of a set. */
export const SET_LIMIT = 128n
/** The default maximum number of values of `make_set_if`. */
export const SET_IF_LIMIT = 1_048_576n
export const MAX_BINS = 1_000n
export const PHRASE_LIMIT = 10n

export const COLLECTION_AGGREGATES = {
  histogram: signature('value: int|real, const bins: int', 'dynamic')(
    'an array of that many bins of equal width from the smallest to the largest value, objects with "from", "to" and "count"; null without values',
    "['logs'] | summarize histogram(duration_ms, 10) by service",
  ),
  histogramif: signature('value: int|real, const bins: int, predicate: bool', 'dynamic')(
    'an array of that many bins of equal width, objects with "from", "to" and "count", of the values where the predicate is true; null without values',
    "['logs'] | summarize histogramif(duration_ms, 10, status < 400) by service",
  ),
  make_list: signature('value, [const limit: int]', 'dynamic')(
    'an array of the values in the order of the rows, without nulls; at most 1,048,576, or the limit',
    "['logs'] | summarize make_list(path, 100) by service",
  ),
  make_list_if: signature('value, predicate: bool, [const limit: int]', 'dynamic')(
    'an array of the values where the predicate is true, in the order of the rows, without nulls; at most 1,048,576, or the limit',
    "['logs'] | summarize make_list_if(path, status >= 500, 100) by service",
  ),
  make_set: signature('value, [const limit: int]', 'dynamic')(
    'an array of the distinct values in order of first appearance, without nulls; at most 128, or the limit',
    "['logs'] | summarize make_set(service) by service",
  ),
  make_set_if: signature('value, predicate: bool, [const limit: int]', 'dynamic')(
    'an array of the distinct values where the predicate is true, in order of first appearance, without nulls; at most 1,048,576, or the limit',
    "['logs'] | summarize make_set_if(service, status >= 500) by service",
  ),
  phrases: signature('text: string, [const limit: int]', 'dynamic')(
    'an array of the most frequent runs of two to four words, in lower case, the most frequent first; at most 10, or the limit; a run that only occurs inside a longer one is left out',
    "['logs'] | summarize phrases(message, 20) by service",
  ),
  spotlight: signature('predicate: bool, field, …', 'dynamic')(
    'an array of objects, one per field, on how its values differ where the predicate is true, the most different field first',
    "['logs'] | summarize spotlight(status >= 500, service, path) by service",
  ),
  topk: signature('value, const count: int', 'dynamic')(
    'an array of the most frequent values, objects with "key", "count" and "error", the most frequent first; the counts are exact',
    "['logs'] | summarize topk(path, 10) by service",
  ),
  topkif: signature('value, const count: int, predicate: bool', 'dynamic')(
    'an array of the most frequent values where the predicate is true, objects with "key", "count" and "error", the most frequent first; the counts are exact',
    "['logs'] | summarize topkif(path, 10, status >= 500) by service",
  ),
} satisfies Record<string, Signature>
