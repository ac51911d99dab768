import type { Problem } from '../../../text/problem.js'
import { joinSpans, type Span } from '../../../text/span.js'
import { isAggregateName } from '../../aggregate/aggregates.js'
import { badIndex, noParts } from '../../problem/argument.js'
import { notGrouped } from '../../problem/group.js'
import { wrongCase } from '../../problem/language.js'
import {
  aggregateAsField,
  fieldMadeHere,
  rowsAsValue,
  unknownField,
  unknownName,
  unknownSideField,
} from '../../problem/name.js'
import type { Expression, Identifier, Index, Member, Name } from '../../syntax/ast.js'
import { textOf } from '../../syntax/string-literal.js'
import type { CheckedExpression, Column } from '../checked.js'
import type { Site } from '../context.js'
import { checkExpression } from '../recursion.js'
import { ARRIVAL } from '../scope.js'
import { reference } from './invoke.js'

/** A path such as `geo['city'].name[0]`: the root and its members and elements. */
interface Chain {
  readonly root: Expression
  readonly parts: readonly Part[]
}

interface Part {
  /** The name, if the key is a constant string. */
  readonly name?: string
  readonly key: Expression
  readonly span: Span
}

/** A field, and the parts of the path that are not in its flat name. */
interface FieldMatch {
  readonly column: Column
  readonly span: Span
  readonly rest: readonly Part[]
}

/**
 * Resolves a field or a path into one. `geo.city` is the flat field of that name, or else the member `city` of the
 * dynamic field `geo`, however it is quoted.
 */
export function checkPath(expression: Name | Member | Index, site: Site): CheckedExpression {
  const { root, parts } = withoutSide(chainOf(expression), site)
  if (root.kind !== 'name') {
    return takeParts(checkExpression(root, site), { parts, span: root.span, site })
  }
  const found = fieldOf(root, parts, site) ?? arrival(root, parts, site)
  if (found === undefined) return definedValue(root, parts, site)
  const { column, span, rest } = found
  if (site.aggregates === 'group') site.context.refuse(notGrouped({ name: column.name, span }))
  return takeParts(reference(column), { parts: rest, span, site })
}

/** Replaces `$left.user` by the field `user` on the left side of a join. */
function withoutSide(chain: Chain, { side }: Site): Chain {
  const { root, parts } = chain
  const [field, ...rest] = parts
  if (root.kind !== 'side' || root.side !== side || field?.name === undefined) return chain
  return { root: { kind: 'name', name: field.name, span: field.span }, parts: rest }
}

/** Resolves a name defined by a statement or the request. Fields take precedence. */
function definedValue(root: Name, parts: readonly Part[], site: Site): CheckedExpression {
  const { context, scope } = site
  const binding = scope.open ? undefined : context.bindings.get(root.name)
  switch (binding?.kind) {
    case undefined:
      return refuseUnknown(root, parts, site)
    case 'broken':
      return context.refuse()
    case 'rows':
      return context.refuse(rowsAsValue(root))
    case 'value':
      return takeParts(binding.value, { parts, span: root.span, site })
    default:
      return binding satisfies never
  }
}

function chainOf(expression: Expression): Chain {
  const parts: Part[] = []
  let root = expression
  while (root.kind === 'member' || root.kind === 'index') {
    parts.unshift(root.kind === 'member' ? namePart(root.member) : indexPart(root))
    root = root.value
  }
  return { root, parts }
}

function namePart({ name, span }: Identifier): Part {
  return { name, key: { kind: 'literal', type: 'string', value: name, span }, span }
}

function indexPart({ index, span }: Index): Part {
  return { name: textOf(index), key: index, span: { start: index.span.start, end: span.end } }
}

/** Resolves `_sysTime` where `project` has dropped it. */
function arrival({ name, span }: Name, rest: readonly Part[], site: Site): FieldMatch | undefined {
  const column = name === ARRIVAL ? site.scope.arrival : undefined
  return column && { column, span, rest }
}

/** Returns the field whose flat name covers as many parts as possible; of `['geo.city']`, the field may also be only `geo`. */
function fieldOf(root: Name, parts: readonly Part[], site: Site): FieldMatch | undefined {
  const own = root.name.split('.')
  const names = [...own, ...namedParts(parts).map(({ name }) => name)]
  for (let taken = names.length; taken > 0; taken--) {
    const column = site.scope.find(names.slice(0, taken).join('.'))
    if (column === undefined) continue
    const last = parts[taken - own.length - 1] ?? root
    const inner = own.slice(taken).map((name) => namePart({ name, span: root.span }))
    const rest = [...inner, ...parts.slice(Math.max(0, taken - own.length))]
    return { column, span: joinSpans(root.span, last.span), rest }
  }
  return undefined
}

function takeParts(
  value: CheckedExpression,
  { parts, span, site }: { parts: readonly Part[]; span: Span; site: Site },
): CheckedExpression {
  let whole: CheckedExpression = value
  if (parts.length > 0 && value.type !== 'dynamic') {
    site.context.refuse(noParts(site.context.operand({ span }, value)))
  }
  for (const part of parts) {
    const key = checkExpression(part.key, site)
    if (key.type !== 'int' && key.type !== 'string' && key.type !== 'dynamic') {
      site.context.refuse(badIndex(site.context.operand(part.key, key)))
    }
    whole = { kind: 'path', type: 'dynamic', value: whole, key }
  }
  return whole
}

function refuseUnknown(root: Name, parts: readonly Part[], site: Site): never {
  const { context, scope } = site
  const field = missingField(root, parts, site)
  const isKnownProblem = beginningsOf(root, parts).some((name) => context.isSuppressed(name))
  if (scope.open || isKnownProblem) context.refuse()
  context.suppress(field.name)
  return context.refuse(context.isFull() ? undefined : unknownProblem(field, site))
}

function unknownProblem(field: Identifier, { context, scope, ...site }: Site): Problem {
  if (site.side) return unknownSideField(field, site.side, scope.namesToSuggest())
  if (scope.isEmpty() && VALUES_ONLY.includes(site.operator)) {
    return unknownName(field, [...context.bindings.keys()])
  }
  if (/^(?:true|false|null)$/i.test(context.excerpt(field.span).text)) {
    return wrongCase(field.span, field.name)
  }
  if (site.newNames?.has(field.name)) {
    return isAggregateName(field.name)
      ? aggregateAsField(field)
      : fieldMadeHere(field, site.operator)
  }
  const mayBeText = MAYBE_TEXT.includes(site.operator)
  return unknownField(field, scope.namesToSuggest(), { mayBeText })
}

/** Returns the names that the path or its beginning may have: `geo`, `geo.city` and `geo.city.name`. */
function beginningsOf(root: Name, parts: readonly Part[]): readonly string[] {
  const names = flatName(root, namedParts(parts)).name.split('.')
  return names.map((_, i) => names.slice(0, i + 1).join('.'))
}

/** The operators in which an unknown name may be a string without quotes. */
const MAYBE_TEXT: readonly string[] = ['extend', 'search', 'where']

/** The contexts without columns. */
const VALUES_ONLY: readonly string[] = ['datatable', 'declare', 'let', 'set', 'table']

/** Returns the name of a missing field to report, with its parts if other fields start with the root's name. */
function missingField(root: Name, parts: readonly Part[], { scope }: Site): Identifier {
  const hasSiblings = scope.hasName((name) => name.startsWith(`${root.name}.`))
  return flatName(root, hasSiblings ? namedParts(parts) : [])
}

/** Returns the parts in front of the first one whose key is not a constant name. */
function namedParts(parts: readonly Part[]): readonly Part[] {
  const end = parts.findIndex(({ name }) => name === undefined)
  return end === -1 ? parts : parts.slice(0, end)
}

/** Returns the flat name of a path whose parts are names. */
function flatName(root: Name, parts: readonly Part[]): Identifier {
  const name = [root.name, ...parts.map((part) => part.name)].join('.')
  return { name, span: joinSpans(root.span, parts.at(-1)?.span ?? root.span) }
}
