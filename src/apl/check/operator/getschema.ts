import type { GetSchema } from '../../syntax/ast.js'
import type { Checked, Context } from '../context.js'
import type { Scope } from '../scope.js'

/** `getschema` needs no row: the columns are known before the query runs. */
export function checkGetSchema(_getschema: GetSchema, context: Context, scope: Scope): Checked {
  const columns = {
    name: context.column('ColumnName', 'string'),
    dataType: context.column('DataType', 'string'),
    ordinal: context.column('ColumnOrdinal', 'int'),
    type: context.column('ColumnType', 'string'),
  }
  const { name, dataType, ordinal, type } = columns
  return {
    operators: [{ kind: 'getschema', columns, described: scope.columns }],
    scope: scope.replaced([name, dataType, ordinal, type]),
  }
}
