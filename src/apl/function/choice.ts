import { ANY, common, parameter, repeated, type Signature, signature } from './signature.js'

export const CHOICE_FUNCTIONS = {
  case: signature([repeated('condition, value, …, default', ...ANY)], (types) =>
    common(types.filter((_, i) => i % 2 === 1 || i === types.length - 1)),
  )(
    'the value after the first condition that is true, otherwise the last argument',
    `['logs'] | extend outcome = case(status >= 500, "error", status >= 400, "rejected", "ok")`,
  ),
  iff: signature(
    [parameter('condition', 'bool'), parameter('then', ...ANY), parameter('else', ...ANY)],
    ([, then, otherwise]) => common([then ?? 'dynamic', otherwise ?? 'dynamic']),
  )(
    'the second argument if the condition is true, otherwise the third',
    'print iff(404 >= 400, "failed", "ok") // "failed"',
  ),
} satisfies Record<string, Signature>
