import { CODE } from '../text/clickhouse-code.js'

/** A failure of the engine that is caused by the query, described in terms of APL. */
interface QueryFailure {
  /** A stable code in kebab-case. */
  readonly code: string
  readonly message: string
}

const OVERFLOW: QueryFailure = {
  code: 'integer-overflow',
  message:
    'Integer overflow: a result of the query exceeds 64 bits. Convert an operand with `todouble`.',
}
const TOO_DEEP: QueryFailure = {
  code: 'too-deep',
  message:
    'The query is nested too deeply. Use fewer `extend` steps that depend on each other, or shorter expressions.',
}

const TOO_LARGE: QueryFailure = {
  code: 'too-large',
  message:
    'The query builds arrays or strings that are too large. Reduce the number of elements per row, or filter rows earlier.',
}

/** A function that uses its argument twice doubles the SQL of the argument, at every level of nesting. */
export const TOO_LONG: QueryFailure = {
  code: 'too-long',
  message:
    'The query is too complex to compile. Use `extend` steps instead of nested functions, or fewer columns.',
}

const NO_SUCH_GROUP: QueryFailure = {
  code: 'no-such-group',
  message: 'A regular expression in the query has fewer capture groups than requested.',
}

const BAD_ARGUMENT: QueryFailure = {
  code: 'bad-argument',
  message:
    'A function in the query does not accept the value of one of its arguments. Check the arguments that are computed.',
}

/** The engine's wording for a missing group of a regular expression, whose codes it also uses for other arguments. */
const LACKS_GROUP =
  /DB::Exception: (?:Substitution '|There are no groups in regexp|Index value -?\d+ for regexp)/

/**
 * Engine error codes caused by compiled queries. Compiled SQL makes the engine fail where
 * the result would otherwise be a wrong number.
 */
const FAILURES: Readonly<Record<number, QueryFailure>> = {
  [CODE.ILLEGAL_COLUMN]: {
    code: 'not-a-literal',
    message:
      'A regular expression in the query is computed per row, but the function requires a literal.',
  },
  [CODE.ARGUMENT_OUT_OF_BOUND]: TOO_LARGE,
  [CODE.CANNOT_CONVERT_TYPE]: OVERFLOW,
  [CODE.TOO_LARGE_ARRAY_SIZE]: TOO_LARGE,
  [CODE.TOO_LARGE_STRING_SIZE]: TOO_LARGE,
  [CODE.ILLEGAL_DIVISION]: OVERFLOW,
  [CODE.TOO_DEEP_SUBQUERIES]: TOO_DEEP,
  [CODE.TOO_DEEP_AST]: TOO_DEEP,
  [CODE.TOO_BIG_AST]: TOO_LONG,
  [CODE.TOO_SLOW_PARSING]: TOO_LONG,
  [CODE.TOO_DEEP_RECURSION]: TOO_DEEP,
  [CODE.TOO_MANY_QUERY_PLAN_OPTIMIZATIONS]: TOO_DEEP,
  [CODE.FUNCTION_THROW_IF_VALUE_IS_NON_ZERO]: {
    code: 'series-too-long',
    message:
      'A series has more than 4,096 elements, the maximum for a Fourier transform. Use longer steps in `make-series`.',
  },
  [CODE.BAD_ARGUMENTS]: BAD_ARGUMENT,
  [CODE.INDEX_OF_POSITIONAL_ARGUMENT_IS_OUT_OF_RANGE]: BAD_ARGUMENT,
  [CODE.CANNOT_COMPILE_REGEXP]: {
    code: 'bad-regex',
    message: 'A regular expression in the query is not valid RE2 syntax.',
  },
}

/** Returns the failure for an error of the engine; undefined when the query is not the cause. */
export function queryFailure({
  code,
  message,
}: {
  code: number
  message: string
}): QueryFailure | undefined {
  const failure = FAILURES[code]
  return failure === BAD_ARGUMENT && LACKS_GROUP.test(message) ? NO_SUCH_GROUP : failure
}
