import type { FunctionName } from '../../function/functions.js'
import type { Capture, Parse, ParseKv } from '../../syntax/ast.js'
import type { Type } from '../../type.js'
import type { CheckedExpression, Column, ComputedColumn } from '../checked.js'
import type { CheckedStep, Context, Site } from '../context.js'
import { constantOf } from '../expression/constant.js'
import { intConstant, invoke, reference, textConstant } from '../expression/invoke.js'
import { checkText } from '../expression/operation.js'
import { assignNames } from '../names.js'
import { extendedBy } from './extend.js'
import { delimitedPattern, patternRegex } from './parse-pattern.js'

/**
 * More captures are read by a regex: the place of a text contains the places of all texts before it, so that the statement for 100
 * captures is planned for 13 seconds. A regex takes twice as long as places for each event.
 */
const MOST_SEARCHED = 24

/** Checks `parse` and `parse-where`: the pattern becomes a regex, and each capture a column. */
export function checkParse(parse: Parse, site: Site): CheckedStep {
  const { context, operator } = site
  const captures = parse.pattern.filter((piece) => piece.kind === 'capture')
  const source = context.attempt(() => checkText(parse.value, operator, site))
  const pattern = context.attempt(() => patternRegex(parse, context))
  if (source === undefined || pattern === undefined) return withoutCaptures(captures, site)
  const regex = textConstant(pattern.regex)
  const delimited = captures.length > MOST_SEARCHED ? undefined : delimitedPattern(parse)
  const value = (i: number) => {
    if (delimited === undefined) {
      return invoke('captured', 'string', [source, regex, intConstant(pattern.groups[i]!)])
    }
    const pieces = textConstant(JSON.stringify(delimited.pieces))
    return invoke('delimited', 'string', [source, pieces, intConstant(delimited.captures[i]!)])
  }
  const made = captureColumns(captures, value, site)
  const matches = invoke('matches regex', 'bool', [source, regex])
  return assemble({ parse, captures, made, matches, site })
}

interface Parts {
  readonly parse: Parse
  readonly captures: readonly Capture[]
  readonly made: readonly ComputedColumn[]
  /** True if the string matches the pattern. */
  readonly matches: CheckedExpression
  readonly site: Site
}

/** Assembles the steps. In the strict modes, a row does not match if the text of a capture is not of the declared type. */
function assemble({ parse, captures, made, matches, site }: Parts): CheckedStep {
  const { scope } = site
  const extended = extendedBy(made, scope)
  const isStrict = parse.mode !== 'relaxed'
  const typed = made.filter((_, i) => isStrict && captures[i]?.type !== 'string')
  const fits = typed.map(({ column }) => invoke('isnotnull', 'bool', [reference(column)]))
  if (parse.dropsOthers) {
    const filters = [matches, ...fits].map((predicate) => ({ kind: 'where', predicate }) as const)
    return { operators: [...extended.operators, ...filters], scope: extended.scope }
  }
  if (fits.length === 0) return extended
  const whole = invoke('and', 'bool', fits)
  const kept = made.map(({ column }) => orNull(whole, column, site.context))
  const last = extendedBy(kept, scope)
  return { operators: [...extended.operators, ...last.operators], scope: last.scope }
}

function orNull(condition: CheckedExpression, column: Column, context: Context): ComputedColumn {
  const nothing = constantOf(column.type, null)
  const value = invoke('iff', column.type, [condition, reference(column), nothing])
  return context.computed(column.name, value)
}

/** Returns a column for each capture, its value converted to the declared type. */
function captureColumns(
  captures: readonly Capture[],
  value: (index: number) => CheckedExpression,
  { context }: Site,
): readonly ComputedColumn[] {
  const names = assignNames(
    captures.map(({ name }) => ({ name, usual: undefined })),
    context,
  )
  return captures.map(({ type, span }, i) => {
    // Each value contains the whole pattern.
    const read = context.limited(span, () => readAs(value(i), type))
    return context.computed(names[i]!, read)
  })
}

const READERS: Readonly<Record<Exclude<Type, 'string'>, FunctionName>> = {
  bool: 'tobool',
  datetime: 'todatetime',
  dynamic: 'parse_json',
  int: 'toint',
  real: 'todouble',
  timespan: 'totimespan',
}

function readAs(value: CheckedExpression, type: Type): CheckedExpression {
  if (type === 'string') return value
  return invoke(READERS[type], type, [value])
}

/** Suppresses problems with the names of captures that could not be checked. */
function withoutCaptures(captures: readonly Capture[], { context, scope }: Site): CheckedStep {
  for (const { name } of captures) context.suppress(name.name)
  return { operators: [], scope }
}

/** Checks `parse-kv`: each key becomes a column. */
export function checkParseKv(kv: ParseKv, site: Site): CheckedStep {
  const source = site.context.attempt(() => checkText(kv.value, site.operator, site))
  if (source === undefined) return withoutCaptures(kv.keys, site)
  const signs = [kv.pairDelimiter, kv.keyDelimiter, kv.quote ?? '', kv.escape ?? '']
  const value = (i: number) =>
    invoke('keyed', 'string', [
      source,
      textConstant(kv.keys[i]!.name.name),
      ...signs.map(textConstant),
    ])
  return extendedBy(captureColumns(kv.keys, value, site), site.scope)
}
