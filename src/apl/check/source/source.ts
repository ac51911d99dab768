import { byKind } from '../../../text/by-kind.js'
import {
  datatableRows,
  notWrittenOut,
  unknownDataset,
  unknownDatasetOrFile,
  valueAsRows,
  wrongCell,
} from '../../problem/name.js'
import { fileHere, missingSource } from '../../problem/syntax.js'
import { positionsOf } from '../../schema.js'
import type {
  DatasetSource,
  Datatable,
  DatatableColumn,
  Expression,
  FileSource,
  Identifier,
  InputSource,
  Print,
  Source,
  TableCall,
} from '../../syntax/ast.js'
import { textOf } from '../../syntax/string-literal.js'
import type { CheckedRows, Column, Constant } from '../checked.js'
import type { Context } from '../context.js'
import { constantAs, constantOf } from '../expression/constant.js'
import { type Flow, flowFrom, UNKNOWN_FLOW } from '../flow.js'
import { writtenNames } from '../names.js'
import { checkExtend } from '../operator/extend.js'
import { checkExpression, checkFlow, valueSite } from '../recursion.js'
import type { Columns } from '../scope.js'
import { checkUnion, matchingDatasets } from './union.js'

export function checkSourceKind(source: Source, context: Context): Flow {
  return context.isAllowed('source', source.span) ? checkAllowed(source, context) : UNKNOWN_FLOW
}

const checkAllowed = byKind<Source, [Context], Flow>({
  dataset: checkDataset,
  'dataset-pattern': (pattern, context) => {
    const parts = matchingDatasets(pattern, context)
    return checkUnion({ kind: 'union', parts, span: pattern.span }, context)
  },
  datatable: checkDatatable,
  file: checkFile,
  input: checkInput,
  pipeline: ({ pipeline }, context) => checkFlow(pipeline, context),
  print: checkPrint,
  table: checkTable,
  union: checkUnion,
})

function checkDataset(source: DatasetSource, context: Context): Flow {
  const binding = context.bindings.get(source.name)
  switch (binding?.kind) {
    case undefined:
      return fieldsOf(source, context)
    case 'broken':
      return UNKNOWN_FLOW
    case 'value':
      return context.refuse(valueAsRows(source))
    case 'rows':
      return context.reuse(binding.bindings, () => checkFlow(binding.pipeline, context))
    default:
      return binding satisfies never
  }
}

/** The events of a dataset. */
function fieldsOf({ name, span }: Identifier, context: Context): Flow {
  const { schema, inputs } = context.environment
  const fields = schema.fields(name)
  if (fields === undefined) {
    const problem = inputs === undefined ? unknownDataset : unknownDatasetOrFile
    return context.refuse(problem({ name, span }, schema.datasets))
  }
  const firstId = context.nextIds(fields.length)
  const columns: Column[] = []
  const byName = new Map<string, Column>()
  // Each column is created on first use.
  const all: Columns = {
    names: () => positionsOf(fields).keys(),
    find(name) {
      const position = byName.has(name) ? undefined : positionsOf(fields).get(name)
      if (position === undefined) return byName.get(name)
      context.countField(span)
      const { type, wireType } = fields[position]!
      const column = { id: firstId + position, name, type, wireType }
      columns.push(column)
      byName.set(name, column)
      return column
    },
  }
  return flowFrom({ kind: 'dataset', name, columns, all }, all)
}

/** Checks `table("logs")`; the argument may be a name defined by a statement or the request. */
function checkTable({ name }: TableCall, context: Context): Flow {
  const value = checkExpression(name, valueSite(context, 'table'))
  const dataset = textOf(value) ?? context.refuse(notWrittenOut(name.span, 'The name of a dataset'))
  return checkDataset({ kind: 'dataset', name: dataset, span: name.span }, context)
}

/** Checks `file('access.log')`, whose events have already been read into a dataset. */
function checkFile({ pattern, span }: FileSource, context: Context): Flow {
  const dataset = context.environment.inputs?.file(pattern)
  if (dataset !== undefined) return fieldsOf({ name: dataset, span }, context)
  return context.refuse(fileHere(span))
}

/** Checks the source of a query that starts with an operator. */
function checkInput({ span }: InputSource, context: Context): Flow {
  const main = context.environment.inputs?.main
  if (main !== undefined) return fieldsOf({ name: main, span }, context)
  return context.refuse(missingSource(span))
}

/** Checks `print`, which becomes an `extend` of one row without columns. */
function checkPrint(print: Print, context: Context): Flow {
  const assignments = print.assignments.map((one, i) => {
    const name = { name: `print_${i}`, span: one.span }
    return one.name === undefined ? { ...one, name } : one
  })
  const row: CheckedRows = { kind: 'rows', columns: [], rows: [[]] }
  const extend = { kind: 'extend', assignments, span: print.span } as const
  return { source: row, ...checkExtend(extend, valueSite(context, 'extend')) }
}

/** Checks `datatable`: each cell is a constant of its column's type. */
function checkDatatable(table: Datatable, context: Context): Flow {
  const width = table.columns.length
  writtenNames(table.columns, context)
  if (table.values.length % width !== 0) {
    const last = table.values.at(-1)?.span ?? table.span
    context.report(datatableRows(last, width, table.values.length))
  }
  const cells = table.values.map((value, i) => {
    const column = table.columns[i % width]!
    return context.attempt(() => cell(value, column, context)) ?? constantOf(column.type, null)
  })
  const rows = Array.from({ length: Math.floor(cells.length / width) }, (_, i) =>
    cells.slice(i * width, (i + 1) * width),
  )
  const columns = table.columns.map(({ name, type }) => context.column(name.name, type))
  return flowFrom({ kind: 'rows', columns, rows })
}

/** Returns the value of a cell, converted to the type of its column. */
function cell(written: Expression, { name, type }: DatatableColumn, context: Context): Constant {
  const value = checkExpression(written, valueSite(context, 'datatable'))
  if (value.kind !== 'constant') {
    return context.refuse(notWrittenOut(written.span, 'A value of `datatable`'))
  }
  const operand = context.operand(written, value)
  return constantAs(value, type) ?? context.refuse(wrongCell(operand, name, type))
}
