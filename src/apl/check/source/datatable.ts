import { datatableRows, duplicateName, notWrittenOut, wrongCell } from '../../problem/name.js'
import type { Datatable, DatatableColumn, Expression } from '../../syntax/ast.js'
import type { Constant } from '../checked.js'
import type { Context } from '../context.js'
import { constantAs, constantOf } from '../expression/constant.js'
import { type Flow, flowFrom } from '../flow.js'
import { checkExpression, valueSite } from '../recursion.js'

/** `datatable`: each cell is a constant of its column's type. */
export function checkDatatable(table: Datatable, context: Context): Flow {
  const width = table.columns.length
  const seen = new Set<string>()
  for (const { name } of table.columns) {
    if (seen.has(name.name)) context.report(duplicateName(name))
    seen.add(name.name)
  }
  if (table.values.length % width !== 0) {
    const last = table.values.at(-1)?.span ?? table.span
    context.report(datatableRows(last, width, table.values.length))
  }
  const cells = table.values.map((value, i) => cell(value, table.columns[i % width]!, context))
  const rows = Array.from({ length: Math.floor(cells.length / width) }, (_, i) =>
    cells.slice(i * width, (i + 1) * width),
  )
  const columns = table.columns.map(({ name, type }) => context.column(name.name, type))
  return flowFrom({ kind: 'rows', columns, rows })
}

/** A value as its column holds it. */
function cell(written: Expression, { name, type }: DatatableColumn, context: Context): Constant {
  const value = checkExpression(written, valueSite(context, 'datatable'))
  if (value === undefined) return constantOf(type, null)
  if (value.kind !== 'constant') {
    context.report(notWrittenOut(written.span, 'A value of `datatable`'))
    return constantOf(type, null)
  }
  const converted = constantAs(value, type)
  if (converted !== undefined) return converted
  const operand = { ...context.written(written.span), type: value.type }
  context.report(wrongCell(name, type, operand))
  return constantOf(type, null)
}
