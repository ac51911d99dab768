import { common, type Signature, signature } from './signature.js'

export const CHOICE_FUNCTIONS = {
  case: signature('condition, value, …', (types) =>
    common(types.filter((_, i) => i % 2 === 1 || i === types.length - 1)),
  )(
    'the value after the first condition that is true, otherwise the last argument',
    `['logs'] | extend outcome = case(status >= 500, "error", status >= 400, "rejected", "ok")`,
  ),
  iff: signature('condition: bool, then, else', ([, then, otherwise]) =>
    common([then ?? 'dynamic', otherwise ?? 'dynamic']),
  )(
    'the second argument if the condition is true, otherwise the third',
    'print iff(404 >= 400, "failed", "ok") // "failed"',
  ),
} satisfies Record<string, Signature>
