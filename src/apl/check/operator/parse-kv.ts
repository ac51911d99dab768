import type { ParseKv } from '../../syntax/ast.js'
import type { Checked, Context, Site } from '../context.js'
import { invoke, textConstant } from '../expression/invoke.js'
import type { Scope } from '../scope.js'
import { captureColumns, checkSource, silenceCaptures } from './capture.js'
import { extendedBy } from './extend.js'

/** `parse-kv`: a column for each key. */
export function checkParseKv(kv: ParseKv, context: Context, scope: Scope): Checked {
  const site: Site = { context, scope, operator: 'parse-kv', aggregates: 'none' }
  const source = checkSource(kv.value, site)
  if (source === undefined) {
    silenceCaptures(kv.keys, site)
    return { operators: [], scope }
  }
  const signs = [kv.pairDelimiter, kv.keyDelimiter, kv.quote ?? '', kv.escape ?? '']
  const value = (i: number) =>
    invoke('keyed', 'string', [
      source,
      textConstant(kv.keys[i]!.name.name),
      ...signs.map(textConstant),
    ])
  return extendedBy(captureColumns(kv.keys, value, site), scope)
}
