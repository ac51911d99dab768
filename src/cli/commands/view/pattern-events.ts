// Finds the events of a pattern, exactly as many as were counted. The mask of an event, its text without numbers and ids, depends
// only on the event; which rare masks are combined into one pattern depends on all events.

import { cellText } from '../../../render/cell.js'
import { escapeRegex } from '../../../text/escape-regex.js'
import { columnOf } from '../../../wire/http/tabular-result.js'
import type { JsonText } from '../../../wire/json/json-text.js'
import type { AskTable } from '../../query/ask-rows.js'
import { aplString } from './apl-text.js'
import { RARE } from './patterns.js'
import { unsortedApl, type ViewQuery, withOperator } from './query.js'
import type { RequestOf } from './state.js'

type PatternOptions = RequestOf<'pattern'> & { readonly ask: AskTable }

/** The maximum number of masks that a query lists. */
const MOST_MASKS = 100

export async function patternEvents(options: PatternOptions): Promise<ViewQuery> {
  const { query, patterns, pattern } = options
  const { text } = patterns
  const name = pattern === undefined ? undefined : cellText(pattern)
  if (name === undefined) return withOperator(query, `where isnull(${text})`)
  if (!patterns.areCombined) return withMasks(query, text, `pattern == ${aplString(name)}`)
  const { own, others, areAlike } = await masksOf(name, text, options)
  if (own.length <= MOST_MASKS) return withMasks(query, text, `pattern ${oneOf('in', own)}`)
  if (areAlike && others.length <= MOST_MASKS) {
    const exceptions = others.length === 0 ? '' : ` and pattern ${oneOf('!in', others)}`
    return withMasks(query, text, `pattern matches regex ${likeName(name)}${exceptions}`)
  }
  const condition = `pattern == ${aplString(name)}`
  const combined = markedText(`${text} with threshold=${RARE}`, condition)
  const last = { text: combined, role: 'order', isProjection: false, isOn: true } as const
  return { ...query, operators: [...query.operators, last] }
}

function withMasks(query: ViewQuery, text: string, condition: string): ViewQuery {
  return withOperator(query, markedText(text, condition))
}

function markedText(by: string, condition: string): string {
  return `reduce kind=source by ${by} | where ${condition} | project-away pattern`
}

function oneOf(operator: 'in' | '!in', masks: readonly string[]): string {
  const [only, ...more] = masks
  if (only !== undefined && more.length === 0) {
    return `${operator === 'in' ? '==' : '!='} ${aplString(only)}`
  }
  return `${operator} (${masks.map(aplString).join(', ')})`
}

/** Returns a regular expression that matches the masks of a pattern, and maybe other masks. */
function likeName(name: string): string {
  const expression = escapeRegex(name).replaceAll('\\*', '.*')
  return aplString(`(?s)^${expression}$`)
}

/** Finds the masks that are combined into a pattern: at most one more than `MOST_MASKS` of each kind. */
async function masksOf(
  name: string,
  text: string,
  { query, ask }: Pick<PatternOptions, 'query' | 'ask'>,
) {
  const isOwn = `name_ == ${aplString(name)}`
  const isAlike = `pattern matches regex ${likeName(name)}`
  const most = MOST_MASKS + 1
  const table = await ask(
    [
      unsortedApl(query),
      `reduce kind=source by ${text} with threshold=${RARE}`,
      'project-rename name_ = pattern',
      `reduce kind=source by ${text}`,
      `where ${isOwn} or ${isAlike}`,
      `summarize own = make_set_if(pattern, ${isOwn}, ${most}), others = make_set_if(pattern, ${isAlike} and not(${isOwn}), ${most}), odd = countif(not(${isAlike}))`,
    ].join(' | '),
    1,
  )
  const cell = (name: string) => columnOf(table, name)?.[0]
  return {
    own: textsOf(cell('own')),
    /** The masks of other patterns that are written like the pattern. */
    others: textsOf(cell('others')),
    /** True when all own masks are written like the pattern. */
    areAlike: cell('odd') === '0',
  }
}

function textsOf(cell: JsonText | undefined): readonly string[] {
  return cell === undefined ? [] : (JSON.parse(cell) as readonly string[])
}
