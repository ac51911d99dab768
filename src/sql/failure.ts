import { CODE } from '../text/clickhouse-code.js'

/** A failure of the engine that is caused by the query, described in terms of APL. */
interface QueryFailure {
  /** A stable code in kebab-case. */
  readonly code: string
  readonly message: string
}

/**
 * The failures by their codes, with the codes of the engine's errors that mean them. Compiled SQL makes the engine fail where the
 * result would otherwise be a wrong number.
 */
const FAILURES = {
  'integer-overflow': {
    codes: [CODE.CANNOT_CONVERT_TYPE, CODE.ILLEGAL_DIVISION],
    message:
      'Integer overflow: a result of the query exceeds 64 bits, or is a time before 1677 or after 2262. Convert an integer with `todouble`.',
  },
  'too-deep': {
    codes: [
      CODE.TOO_DEEP_SUBQUERIES,
      CODE.TOO_DEEP_AST,
      CODE.TOO_DEEP_RECURSION,
      CODE.TOO_MANY_QUERY_PLAN_OPTIMIZATIONS,
    ],
    message:
      'The query is nested too deeply. Use fewer `extend`, `mv-expand` or `sort` steps after each other, or shorter expressions.',
  },
  'too-large': {
    codes: [CODE.ARGUMENT_OUT_OF_BOUND, CODE.TOO_LARGE_ARRAY_SIZE, CODE.TOO_LARGE_STRING_SIZE],
    message:
      'The query builds arrays or strings that are too large. Reduce the number of elements per row, or filter rows earlier.',
  },
  // A function that uses its argument twice doubles the SQL of the argument, at every level of nesting.
  'too-long': {
    codes: [CODE.TOO_BIG_AST, CODE.TOO_SLOW_PARSING],
    message:
      'The query is too complex to compile. Use `extend` steps instead of nested functions, or fewer columns.',
  },
  'bad-argument': {
    codes: [CODE.BAD_ARGUMENTS, CODE.INDEX_OF_POSITIONAL_ARGUMENT_IS_OUT_OF_RANGE],
    message:
      'A function in the query does not accept the value of one of its arguments. Check the arguments that are computed.',
  },
  'no-such-group': {
    codes: [],
    message: 'A regular expression in the query has fewer capture groups than requested.',
  },
  'not-a-literal': {
    codes: [CODE.ILLEGAL_COLUMN],
    message:
      'A regular expression in the query is computed per row, but the function requires a literal.',
  },
  'series-too-long': {
    codes: [CODE.FUNCTION_THROW_IF_VALUE_IS_NON_ZERO],
    message:
      'A series has more than 4,096 elements, the maximum for a Fourier transform. Use longer steps in `make-series`.',
  },
  'bad-regex': {
    codes: [CODE.CANNOT_COMPILE_REGEXP],
    message: 'A regular expression in the query is not valid RE2 syntax.',
  },
} as const satisfies Readonly<
  Record<string, { readonly codes: readonly number[]; readonly message: string }>
>

type FailureCode = keyof typeof FAILURES

/** The message for a statement that takes the engine too long to plan. */
export const TOO_DEEP = FAILURES['too-deep'].message

/** The message for a statement that is too long to compile. */
export const TOO_LONG = FAILURES['too-long'].message

/** The engine's wording for a regular expression that is not valid, in functions that replace; errors of servers lack the code. */
const BAD_REGEX = /^(?:Code: \d+\. DB::Exception: )?The pattern argument is not a valid re2 pattern/

/** The reason of RE2 in that wording, and in the wording of the other functions. */
const BAD_REGEX_REASON =
  /(?:not a valid re2 pattern: |cannot compile re2: .*, error: )(.+?)(?:: while executing|\. Look at )/s

const REPETITION_ADVICE =
  'A part can be repeated up to 1,000 times, and nested repetitions multiply: use `*` or `+` for longer ones.'

/** The engine's wording for a missing group of a regular expression, whose codes it also uses for other arguments. */
const LACKS_GROUP =
  /^(?:Code: \d+\. DB::Exception: )?(?:Substitution '|There are no groups in regexp|Index value -?\d+ for regexp)/

/** Returns the failure for an error of the engine; undefined when the query is not the cause. */
export function queryFailure(error: {
  readonly code: number
  readonly message: string
}): QueryFailure | undefined {
  const codes = Object.keys(FAILURES) as FailureCode[]
  const found = codes.find((code) =>
    (FAILURES[code].codes as readonly number[]).includes(error.code),
  )
  const code = found === 'bad-argument' ? badArgument(error.message) : found
  if (code === undefined) return undefined
  const { message } = FAILURES[code]
  const reason = code === 'bad-regex' ? BAD_REGEX_REASON.exec(error.message)?.[1] : undefined
  if (reason === undefined) return { code, message }
  const advice = reason.startsWith('invalid repetition size') ? ` ${REPETITION_ADVICE}` : ''
  return { code, message: `${message.slice(0, -1)}: ${reason}.${advice}` }
}

function badArgument(message: string): FailureCode {
  if (LACKS_GROUP.test(message)) return 'no-such-group'
  return BAD_REGEX.test(message) ? 'bad-regex' : 'bad-argument'
}
