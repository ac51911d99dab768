/** Why a query that was understood could not be answered, in APL's words. */
interface QueryFailure {
  /** A stable kebab-case word. */
  readonly code: string
  readonly message: string
}

const OVERFLOW: QueryFailure = {
  code: 'integer-overflow',
  message:
    'A result of the query is outside 64 bits. `todouble` on one of its operands makes it a real number.',
}
const TOO_DEEP: QueryFailure = {
  code: 'too-deep',
  message:
    'The query has more steps inside each other than can be run. Fewer `extend` steps that use each other, or shorter expressions, can.',
}

const TOO_LARGE: QueryFailure = {
  code: 'too-large',
  message:
    'The query makes longer arrays or texts than can be held at once. Fewer elements for each row, or fewer rows before they are made, need less.',
}

/** What stands within a function that looks at it twice is written down twice, and so on outwards. */
export const TOO_LONG: QueryFailure = {
  code: 'too-long',
  message:
    'The query is more than can be run once it is written out. `extend` steps in place of functions within functions, or fewer columns, need less.',
}

const NO_SUCH_GROUP: QueryFailure = {
  code: 'no-such-group',
  message: 'A regular expression of the query has fewer groups than are asked for.',
}

/**
 * The engine's numbers for what a compiled query runs into: compiled SQL makes the engine fail where
 * the result would otherwise be a wrong number.
 */
const FAILURES: Readonly<Record<number, QueryFailure>> = {
  44: {
    code: 'not-a-literal',
    message:
      'A regular expression of the query is computed for each row; the function that takes it needs one that is written out.',
  },
  69: TOO_LARGE,
  70: OVERFLOW,
  128: TOO_LARGE,
  131: TOO_LARGE,
  153: OVERFLOW,
  162: TOO_DEEP,
  167: TOO_DEEP,
  168: TOO_LONG,
  718: TOO_LONG,
  306: TOO_DEEP,
  572: TOO_DEEP,
  395: {
    code: 'series-too-long',
    message:
      'A series of more than 4,096 elements is not transformed. `make-series` with longer steps gives a shorter one.',
  },
  36: NO_SUCH_GROUP,
  353: NO_SUCH_GROUP,
  427: {
    code: 'bad-regex',
    message: 'A regular expression of the query is not one of RE2.',
  },
}

/** What a failure of the engine means for the query; undefined when it is not the query's. */
export function queryFailure(engineCode: number): QueryFailure | undefined {
  return FAILURES[engineCode]
}
