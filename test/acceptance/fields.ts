import { FUNCTION_ALIASES, FUNCTIONS, isFunctionName } from '../../src/apl/function/functions.js'
import type { Signature } from '../../src/apl/function/signature.js'
import type { Call, Expression } from '../../src/apl/syntax/ast.js'
import { parse } from '../../src/apl/syntax/parser.js'
import type { Span } from '../../src/text/span.js'

/**
 * The same expressions with fields instead of literals: `f("a")` becomes `extend a0 = iff(n == 1, "a",
 * string(null)) | project f(a0)`, which the engine cannot evaluate before it has a row. Undefined when no
 * literal can be replaced by a field.
 */
export function withFields(expressions: string): string | undefined {
  const query = `known | where n == 1 | project ${expressions}`
  const [, project] = parse(query).steps
  if (project?.kind !== 'project') return undefined
  const literals = project.assignments.flatMap(({ value }) => literalsOf(value))
  if (literals.length === 0) return undefined
  const fields = literals.map(
    ({ text, type }, i) => `a${i} = iff(n == 1, ${text(query)}, ${type}(null))`,
  )
  let steps = query
  for (const [i, { span }] of [...literals.entries()].reverse()) {
    steps = `${steps.slice(0, span.start)}a${i}${steps.slice(span.end)}`
  }
  return steps.replace('| project', () => `| extend ${fields.join(', ')} | project`)
}

interface Replaceable {
  readonly span: Span
  readonly type: string
  text(query: string): string
}

/** The literals of the expression that fields can replace. */
function literalsOf(expression: Expression): readonly Replaceable[] {
  switch (expression.kind) {
    case 'literal':
      return [
        {
          span: expression.span,
          type: expression.type,
          text: (query) => query.slice(expression.span.start, expression.span.end),
        },
      ]
    case 'call':
      return argumentsOf(expression)
    case 'binary':
      return [...literalsOf(expression.left), ...literalsOf(expression.right)]
    case 'member':
    case 'index':
      return literalsOf(expression.value)
    case 'unary':
      return literalsOf(expression.operand)
    default:
      return []
  }
}

function argumentsOf(call: Call): readonly Replaceable[] {
  const signature = signatureOf(call.function.name)
  if (signature === undefined) return []
  return call.arguments.flatMap((argument, i) => {
    const parameter = signature.parameters[Math.min(i, signature.parameters.length - 1)]
    const isFixed = parameter?.constant === true
    return isFixed && argument.kind === 'literal' ? [] : literalsOf(argument)
  })
}

function signatureOf(name: string): Signature | undefined {
  const known = FUNCTION_ALIASES[name] ?? name
  return isFunctionName(known) ? FUNCTIONS[known] : undefined
}
