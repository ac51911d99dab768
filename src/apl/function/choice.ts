import { ANY, common, type Signature } from './signature.js'

/** Conditional functions. */
export const CHOICE_FUNCTIONS = {
  case: {
    parameters: [{ name: 'condition, value, …, default', accepts: ANY, repeated: true }],
    result: (types) => common(types.filter((_, i) => i % 2 === 1 || i === types.length - 1)),
    summary: 'the value after the first condition that is true, otherwise the last argument',
    example: `['logs'] | extend outcome = case(status >= 500, "error", status >= 400, "rejected", "ok")`,
  },
  iff: {
    parameters: [
      { name: 'condition', accepts: ['bool'] },
      { name: 'then', accepts: ANY },
      { name: 'else', accepts: ANY },
    ],
    result: ([, then, otherwise]) => common([then ?? 'dynamic', otherwise ?? 'dynamic']),
    summary: 'the second argument if the condition is true, otherwise the third',
    example: 'print iff(404 >= 400, "failed", "ok") // "failed"',
  },
} satisfies Record<string, Signature>
