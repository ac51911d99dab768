import type { Sql } from '../../sql/sql.js'
import type { ReadLimits } from '../engine.js'

/**
 * The number of uses after which ClickHouse compiles an expression, 3 by default. Compiling takes 20 to 70 ms of CPU time;
 * aggregations of 3 million events took up to a quarter less time when they were compiled.
 */
const USES_BEFORE_COMPILING = 10

export type Settings = Readonly<Record<string, string | number>>

/**
 * Settings of every statement: a statement with thousands of fields or hundreds of datasets exceeds ClickHouse's default limits, and
 * a string that looks like a date must remain a string.
 */
export const STATEMENT_SETTINGS = {
  max_query_size: 268_435_456,
  max_ast_elements: 10_000_000,
  max_expanded_ast_elements: 10_000_000,
  max_parser_depth: 20_000,
  max_ast_depth: 20_000,
  max_subquery_depth: 2_000,
  // A union of 400 datasets takes 10,000, the default.
  query_plan_max_optimizations_to_apply: 100_000,
  input_format_try_infer_dates: 0,
  input_format_try_infer_datetimes: 0,
  output_format_json_quote_64bit_integers: 0,
  min_count_to_compile_expression: USES_BEFORE_COMPILING,
  min_count_to_compile_aggregate_expression: USES_BEFORE_COMPILING,
  min_count_to_compile_sort_description: USES_BEFORE_COMPILING,
} as const satisfies Settings

/**
 * The most AST elements of a query: neither time nor memory is limited while the engine plans it. A query of 50,000 fields
 * is within the limit and takes about 20 seconds.
 */
const MAX_READ_ELEMENTS = 600_000

/**
 * Returns the settings that make a query read-only, limited and exact.
 *
 * Ordered reads of a page are buffered, the default: without `read_in_order_use_buffering`, the newest events of 30 parts take 10 to
 * 25 % less CPU time, but one thread reads parts whose times overlap, which takes twice as long on two cores (800 instead of
 * 335 ms).
 */
export function readSettings(limits: ReadLimits): Settings {
  const spill = Math.floor(limits.memoryBytes / 2)
  return {
    readonly: 1,
    max_execution_time: limits.timeoutMs / 1000,
    max_ast_elements: MAX_READ_ELEMENTS,
    max_expanded_ast_elements: MAX_READ_ELEMENTS,
    max_memory_usage: limits.memoryBytes,
    // The serialized result does not count toward `max_memory_usage`.
    max_result_bytes: Math.floor(limits.memoryBytes / 2),
    result_overflow_mode: 'throw',
    ...(limits.threads !== undefined && { max_threads: limits.threads }),
    ...(limits.mostRows !== undefined && { max_rows_to_read: limits.mostRows }),
    max_block_size: limits.blockRows ?? blockRows(limits.memoryBytes),
    // An implicit projection would count one row instead of the events of a part.
    ...(limits.countsAggregated && {
      rows_before_aggregation: 1,
      optimize_use_implicit_projections: 0,
    }),
    ...(limits.blockBytes !== undefined && { preferred_block_size_bytes: limits.blockBytes }),
    ...(limits.countsBeforeLimit && { exact_rows_before_limit: 1 }),
    ...(limits.readsInTurn && { read_in_order_use_virtual_row: 1 }),
    // An index that is read while the events are read, block by block, makes a search of newest events for a rare word take twice
    // as long: 41 instead of 20 ms of 20 million events. A common word takes the same time either way.
    use_skip_indexes_on_data_read: 0,
    max_bytes_ratio_before_external_group_by: 0,
    max_bytes_ratio_before_external_sort: 0,
    max_bytes_before_external_group_by: spill,
    max_bytes_before_external_sort: spill,
    // Indexes do not exclude events for a longer list of values, and searching them for each takes 0.4 s for 250,000 values.
    use_index_for_in_with_subqueries_max_values: 10_000,
    // A constant in ORDER BY is a value, not the position of a column.
    enable_positional_arguments: 0,
    // The search for redundant keys takes half of the time that the engine plans `distinct *` of 1,000 fields: 9 of 19 seconds.
    optimize_redundant_functions_in_order_by: 0,
    date_time_output_format: 'iso',
    output_format_json_quote_64bit_integers: 0,
    output_format_json_quote_64bit_floats: 0,
    output_format_json_quote_decimals: 0,
    output_format_json_quote_denormals: 0,
    output_format_json_escape_forward_slashes: 0,
    output_format_json_validate_utf8: 1,
  }
}

/** Returns the rows of a block: by default as many as the engine reads, and fewer when a few blocks would exceed the memory of a query. */
function blockRows(memoryBytes: number): number {
  return Math.min(65_409, Math.max(1_024, Math.floor(memoryBytes / 8_192)))
}

/** Smaller joins stay in memory: the files of a join on disk need tens of megabytes of buffers. */
const LEAST_SPILLED_BYTES = 64 * 1024 * 1024

/**
 * Returns the settings of the embedded engine that older servers may not know. The right side of a join is written to disk at
 * a quarter of the memory, since its hash table doubles when it grows.
 */
export function spillingJoins({ memoryBytes }: ReadLimits): Settings {
  const spilled = Math.max(LEAST_SPILLED_BYTES, Math.floor(memoryBytes / 4))
  return { max_bytes_before_external_join: spilled }
}

/**
 * Returns the setting of the embedded engine for regular expressions, which it compiles to machine code by default. Compiling
 * takes 8 to 10 ms for each. Compiled searches for a rare text took two to four times as long, but replacements half the time, and
 * captures of 20 million messages a third: 1.0 instead of 3.0 s.
 */
export function compiledRegularExpressions({ text }: Sql): Settings {
  return { compile_regular_expressions: /replaceRegexp|\bextract\(/.test(text) ? 1 : 0 }
}
