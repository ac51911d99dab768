import { ANY, common, parameter, repeated, type Signature } from './signature.js'

/** Conditional functions. */
export const CHOICE_FUNCTIONS = {
  case: {
    parameters: [repeated('condition, value, …, default', ...ANY)],
    result: (types) => common(types.filter((_, i) => i % 2 === 1 || i === types.length - 1)),
    summary: 'the value after the first condition that is true, otherwise the last argument',
    example: `['logs'] | extend outcome = case(status >= 500, "error", status >= 400, "rejected", "ok")`,
  },
  iff: {
    parameters: [
      parameter('condition', 'bool'),
      parameter('then', ...ANY),
      parameter('else', ...ANY),
    ],
    result: ([, then, otherwise]) => common([then ?? 'dynamic', otherwise ?? 'dynamic']),
    summary: 'the second argument if the condition is true, otherwise the third',
    example: 'print iff(404 >= 400, "failed", "ok") // "failed"',
  },
} satisfies Record<string, Signature>
