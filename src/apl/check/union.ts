import type { DatasetPattern, DatasetSource, Source, Union } from '../ast.js'
import type { CheckedSource, Column, UnionPart } from '../checked.js'
import { duplicateName, noSuchDatasets } from '../problem/name.js'
import type { Type } from '../type.js'
import { constantOf } from './constant.js'
import type { Context } from './context.js'
import { type Flow, flowFrom, pipelineOf } from './flow.js'
import { checkSource } from './recursion.js'
import { Scope } from './scope.js'

/** Rows with what they are called in the column that says where rows come from. */
interface Part {
  readonly flow: Flow
  readonly origin: string
}

/** The rows of the pipeline at hand, if there is one, then those of each part. */
export function checkUnion(union: Union, context: Context, left?: Flow): Flow {
  const first = left === undefined ? [] : [partOf(left, 0)]
  const sources = union.parts.flatMap((part): readonly Source[] =>
    part.kind === 'dataset-pattern' ? datasetsLike(part, context) : [part],
  )
  const parts = [
    ...first,
    ...sources.map((source, i) => partOf(checkSource(source, context), first.length + i, source)),
  ]
  const columns = mergedColumns(parts, context)
  const origin = originColumn(union, columns, context)
  const isWhole = parts.every(({ flow }) => flow.source !== undefined && !flow.scope.open)
  const all = origin === undefined ? [...columns.values()] : [origin, ...columns.values()]
  if (!isWhole || parts.length === 0) {
    return { source: undefined, operators: [], scope: new Scope(all, { open: true }) }
  }
  const checked = parts.flatMap(({ flow, origin: name }): UnionPart[] => {
    const pipeline = pipelineOf(flow)
    const found = [...columns.keys()].map((column) => flow.scope.find(column))
    const named = origin === undefined ? [] : [constantOf('string', name)]
    return pipeline === undefined ? [] : [{ pipeline, columns: [...named, ...found] }]
  })
  return flowFrom({ kind: 'union', columns: all, parts: checked })
}

/** The datasets of such a name; a name that a statement gave is not one. */
export function datasetsLike(pattern: DatasetPattern, context: Context): readonly DatasetSource[] {
  const pieces = pattern.pattern.split('*').map((piece) => piece.replace(/[^\w]/g, '\\$&'))
  const like = new RegExp(`^${pieces.join('.*')}$`, 's')
  const { datasets } = context.environment.schema
  const found = datasets.filter((name) => like.test(name))
  if (found.length === 0) context.report(noSuchDatasets(context.written(pattern.span), datasets))
  return found.map((name) => ({ kind: 'dataset', name, span: pattern.span }))
}

function partOf(flow: Flow, position: number, written?: Source): Part {
  const named = written?.kind === 'dataset' ? written.name : undefined
  return { flow, origin: datasetOf(flow.source) ?? named ?? `union_arg${position}` }
}

function datasetOf(source: CheckedSource | undefined): string | undefined {
  return source?.kind === 'dataset' ? source.name : undefined
}

/** Every name once, in the order of the parts; of two types it holds both. */
function mergedColumns(parts: readonly Part[], context: Context): ReadonlyMap<string, Column> {
  const types = new Map<string, Type>()
  for (const { name, type } of parts.flatMap(({ flow }) => flow.scope.columns)) {
    const known = types.get(name)
    types.set(name, known === undefined || known === type ? type : 'dynamic')
  }
  return new Map([...types].map(([name, type]) => [name, context.column(name, type)]))
}

function originColumn(
  { withSource }: Union,
  columns: ReadonlyMap<string, Column>,
  context: Context,
): Column | undefined {
  if (withSource === undefined) return undefined
  if (columns.has(withSource.name)) context.report(duplicateName(withSource))
  return context.column(withSource.name, 'string')
}
