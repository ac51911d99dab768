import { first, type Signature, signature } from '../function/signature.js'

export const EXTREME_AGGREGATES = {
  arg_max: signature('value: int|real|string|datetime|timespan|bool, [field, …]', first)(
    'the largest value, and the fields of the row that has it; the earliest of several rows; nulls without values',
    "['logs'] | summarize arg_max(duration_ms, path, message) by service",
  ),
  arg_min: signature('value: int|real|string|datetime|timespan|bool, [field, …]', first)(
    'the smallest value, and the fields of the row that has it; the earliest of several rows; nulls without values',
    "['logs'] | summarize arg_min(duration_ms, path, message) by service",
  ),
  max: signature('value: int|real|string|datetime|timespan|bool', first)(
    'the largest value; null without values',
    "['logs'] | summarize max(duration_ms) by service",
  ),
  maxif: signature('value: int|real|string|datetime|timespan|bool, predicate: bool', first)(
    'the largest value where the predicate is true; null without values',
    "['logs'] | summarize maxif(duration_ms, status < 400) by service",
  ),
  min: signature('value: int|real|string|datetime|timespan|bool', first)(
    'the smallest value; null without values',
    "['logs'] | summarize min(duration_ms) by service",
  ),
  minif: signature('value: int|real|string|datetime|timespan|bool, predicate: bool', first)(
    'the smallest value where the predicate is true; null without values',
    "['logs'] | summarize minif(duration_ms, status < 400) by service",
  ),
  percentile: signature('value: int|real|datetime|timespan, const percentile: int|real', first)(
    'the percentile, 0 to 100, at the nearest rank: always a value of the data; null without values',
    "['logs'] | summarize percentile(duration_ms, 95) by service",
  ),
  percentileif: signature(
    'value: int|real|datetime|timespan, const percentile: int|real, predicate: bool',
    first,
  )(
    'the percentile, 0 to 100, at the nearest rank: always a value of the data, where the predicate is true; null without values',
    "['logs'] | summarize percentileif(duration_ms, 95, status < 400) by service",
  ),
  percentiles_array: signature(
    'value: int|real|datetime|timespan, const percentile: int|real|dynamic, …',
    'dynamic',
  )(
    'the percentiles at the nearest rank, as an array; null without values',
    "['logs'] | summarize percentiles_array(duration_ms, 50, 95, 99) by service",
  ),
  percentiles_arrayif: signature(
    'value: int|real|datetime|timespan, const percentiles: dynamic, predicate: bool',
    'dynamic',
  )(
    'the percentiles that an array lists, at the nearest rank, where the predicate is true; null without values',
    "['logs'] | summarize percentiles_arrayif(duration_ms, dynamic([50, 95, 99]), status < 400) by service",
  ),
} satisfies Record<string, Signature>
