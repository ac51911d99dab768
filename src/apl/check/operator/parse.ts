import type { Capture, Parse } from '../../syntax/ast.js'
import type { CheckedExpression, CheckedOperator, Column, ComputedColumn } from '../checked.js'
import type { Checked, Context, Site } from '../context.js'
import { intConstant, invoke, reference, textConstant } from '../expression/invoke.js'
import type { Scope } from '../scope.js'
import { captureColumns, checkSource, silenceCaptures } from './capture.js'
import { extendedBy } from './extend.js'
import { patternRegex } from './parse-pattern.js'

/** `parse` and `parse-where`: the pattern becomes a regex, and each capture a column. */
export function checkParse(parse: Parse, context: Context, scope: Scope): Checked {
  const operator = parse.dropsOthers ? 'parse-where' : 'parse'
  const site: Site = { context, scope, operator, aggregates: 'none' }
  const captures = parse.pattern.filter((piece) => piece.kind === 'capture')
  const source = checkSource(parse.value, site)
  const pattern = patternRegex(parse, context)
  if (source === undefined || pattern === undefined) {
    silenceCaptures(captures, site)
    return { operators: [], scope }
  }
  const regex = textConstant(pattern.regex)
  const value = (i: number) =>
    invoke('captured', 'string', [source, regex, intConstant(pattern.groups[i]!)])
  const made = captureColumns(captures, value, site)
  const matches = invoke('matches regex', 'bool', [source, regex])
  return assembled({ parse, captures, made, matches, site })
}

interface Parts {
  readonly parse: Parse
  readonly captures: readonly Capture[]
  readonly made: readonly ComputedColumn[]
  /** Whether the text fits. */
  readonly matches: CheckedExpression
  readonly site: Site
}

/** In the strict modes a row does not fit either when a capture is not of its type. */
function assembled({ parse, captures, made, matches, site }: Parts): Checked {
  const { scope } = site
  const extended = extendedBy(made, scope)
  const isStrict = parse.mode !== 'relaxed'
  const typed = made.filter((_, i) => isStrict && captures[i]?.type !== 'string')
  const fits = typed.map(({ column }) => invoke('isnotnull', 'bool', [reference(column)]))
  if (parse.dropsOthers) {
    const filter = wheres([matches, ...fits])
    return { operators: [...extended.operators, ...filter], scope: extended.scope }
  }
  if (fits.length === 0) return extended
  const whole = invoke('and', 'bool', fits)
  const kept = made.map(({ column }) => orNull(whole, column, site.context))
  const last = extendedBy(kept, scope)
  return { operators: [...extended.operators, ...last.operators], scope: last.scope }
}

function wheres(predicates: readonly CheckedExpression[]): readonly CheckedOperator[] {
  return predicates.map((predicate) => ({ kind: 'where', predicate }))
}

function orNull(condition: CheckedExpression, column: Column, context: Context): ComputedColumn {
  const nothing = { kind: 'constant', type: column.type, value: null } as const
  const value = invoke('iff', column.type, [condition, reference(column), nothing])
  return { column: context.column(column.name, column.type), value }
}
