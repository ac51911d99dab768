import { FIRST_TIME, LAST_TIME } from '../../../wire/event/event-time.js'
import * as literalProblem from '../../problem/literal.js'
import * as operatorProblem from '../../problem/operator.js'
import type { Expression, MakeSeries, Series } from '../../syntax/ast.js'
import type { Type } from '../../type.js'
import type { CheckedExpression, CheckedMakeSeries, CheckedSeries, Constant } from '../checked.js'
import type { AggregateRule, CheckedStep, Site } from '../context.js'
import { constantOf } from '../expression/constant.js'
import { knownTime } from '../expression/known-time.js'
import { aggregateName, assignNames, keyName, newNames, plainName } from '../names.js'
import { checkExpression } from '../recursion.js'
import { checkAggregate, checkKeys, computedColumns } from './summarize.js'

const MAX_STEPS = 100_000n

/** Checks `make-series`: a row for each combination of `by`, with an array over the steps for each aggregation. */
export function checkMakeSeries(make: MakeSeries, outer: Site): CheckedStep {
  const { context, scope } = outer
  const timeName = plainName(make.on) ?? '_time'
  const keys = make.by.map(({ name, value }) => ({ name, usual: keyName(value) }))
  const series = make.series.map(({ name, value }) => {
    return { name, usual: aggregateName(value) ?? plainName(value), isNew: true }
  })
  const requests = [...keys, ...series, { usual: timeName }]
  const names = assignNames(requests, context)
  const created = newNames(names, requests)
  const site = (aggregates: AggregateRule): Site => ({ ...outer, aggregates, newNames: created })
  const group = site('group')
  const steps = context.attempt(() => checkSteps(make, site('none')))
  const by = checkKeys(make.by, names, site('key')).map(({ column, value }) => ({
    column: { ...column, wireType: undefined },
    value,
  }))
  const values = make.series.flatMap((one, i) => {
    const name = names[keys.length + i]!
    return checkSeries(one, name, group)
  })
  const time = context.column(names.at(-1)!, 'dynamic')
  const columns = [...by, ...values].map((one) => one.column)
  const after = scope.replaced([...columns, time])
  if (steps === undefined) return { operators: [], scope: after }
  const operator = { kind: 'make-series', by, series: values, time, ...steps } as const
  return { operators: [operator], scope: after }
}

function checkSeries(series: Series, name: string, site: Site): readonly CheckedSeries[] {
  const none = series.default
  const values = site.context.attempt(() => checkAggregate(series, site))
  if (values === undefined) site.context.suppress(name)
  return computedColumns([name], values ?? [], site).map(({ column, value }) => ({
    column: { ...column, type: 'dynamic' },
    value,
    otherwise: emptyValue(value, none, { ...site, aggregates: 'none' }),
  }))
}

/** Returns the value of a step without rows: the given default, 0 for counts and sums, otherwise null. */
function emptyValue(
  value: CheckedExpression,
  written: Expression | undefined,
  site: Site,
): Constant {
  if (written === undefined) {
    const isZero = value.kind === 'aggregate' && ZERO_OF_NONE.includes(value.function)
    const none = value.type === 'real' ? 0 : 0n
    return constantOf(value.type, isZero ? none : null)
  }
  const given = site.context.attempt(() => checkExpression(written, site))
  if (given?.kind === 'constant') return given
  if (given !== undefined) site.context.report(operatorProblem.computedDefault(written.span))
  return constantOf(value.type, null)
}

const ZERO_OF_NONE: readonly string[] = [
  ...['count', 'countif', 'dcount', 'dcountif', 'sum', 'sumif', 'rate'],
]

type Steps = Pick<CheckedMakeSeries, 'on' | 'from' | 'to' | 'step' | 'count'>

function checkSteps(make: MakeSeries, site: Site): Steps {
  const { context } = site
  const on = context.attempt(() => checkTimeField(make.on, site))
  const from = context.attempt(() => seriesEnd(make, 'from', site))
  const to = context.attempt(() => seriesEnd(make, 'to', site))
  const step = context.attempt(() => seriesStep(make.step, site))
  if (on === undefined || from === undefined || to === undefined || step === undefined) {
    return context.refuse()
  }
  const span = make.to?.span ?? make.from?.span ?? make.on.span
  if (to <= from) context.refuse(operatorProblem.emptyRange(span))
  const count = (to - from + step - 1n) / step
  if (count > MAX_STEPS) context.refuse(operatorProblem.tooManySteps(make.step.span, count))
  return { on, from, to, step, count }
}

function checkTimeField(written: Expression, site: Site): CheckedExpression {
  const on = checkExpression(written, site)
  if (on.type === 'datetime' || on.type === 'dynamic') return on
  return site.context.refuse(operatorProblem.notATimeField(site.context.operand(written, on)))
}

/** Returns the start or end of the series: as given, or as in the query's time range. */
function seriesEnd(make: MakeSeries, word: 'from' | 'to', site: Site): bigint {
  const { environment } = site.context
  const written = make[word]
  if (written !== undefined) return instant(written, word, site)
  const { start, end } = environment.range ?? {}
  if (word === 'to') return end ?? environment.now
  return start ?? site.context.refuse(operatorProblem.noRange(make.on.span))
}

function instant(written: Expression, word: string, site: Site): bigint {
  const value = checkExpression(written, site)
  const isTime: readonly Type[] = ['datetime', 'string']
  const known = isTime.includes(value.type)
    ? knownTime(value, site.context.environment.now)
    : undefined
  if (known === undefined)
    return site.context.refuse(operatorProblem.notAnInstant(written.span, word))
  if (known >= FIRST_TIME && known <= LAST_TIME) return known
  return site.context.refuse(literalProblem.datetimeOutOfRange(site.context.excerpt(written.span)))
}

function seriesStep(written: Expression, site: Site): bigint {
  const value = checkExpression(written, site)
  const known =
    value.type === 'timespan' ? knownTime(value, site.context.environment.now) : undefined
  if (known !== undefined && known > 0n) return known
  return site.context.refuse(operatorProblem.badStep(written.span))
}
