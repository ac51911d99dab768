import { textOf } from '../../syntax/string-literal.js'
import type { OperatorName } from '../../syntax/words.js'
import type { Type } from '../../type.js'
import type { CheckedExpression, Column } from '../checked.js'
import { constantOf } from './constant.js'
import { either, invoke, reference } from './invoke.js'

/** Separates the strings of columns that are searched as one string. It is not part of any word, and no term contains it. */
export const SEPARATOR = '\u001f'

/** Returns a condition that is true if any column passes. A term that may occur anywhere is searched in all values at once. */
export function testAnyColumn(
  columns: readonly Column[],
  operator: OperatorName,
  right: CheckedExpression,
): CheckedExpression {
  const term = textOf(right) ?? ''
  const isWritten = term !== '' && !term.includes(SEPARATOR)
  if (!isWritten || !/^(?:contains|has|hasprefix|hassuffix)(?:_cs)?$/.test(operator)) {
    return either(columns.map((column) => invoke(operator, 'bool', [reference(column), right])))
  }
  const isWhole = operator === 'has' || operator === 'has_cs'
  const searched = columns.filter(
    ({ type }) => MAY_CONTAIN[type](term) && !(type === 'datetime' && isWhole && isNoPart(term)),
  )
  if (searched.length === 0) return constantOf('bool', false)
  return invoke(operator, 'bool', [invoke('joined', 'string', searched.map(reference)), right])
}

const always = () => true

/** For each type, returns false for a term that cannot occur in a value of the type, written as a string. */
const MAY_CONTAIN: Readonly<Record<Type, (term: string) => boolean>> = {
  // The search ignores case, and `ſ` is an `s` in lower case.
  bool: (term) => {
    const folded = term.toLowerCase().replaceAll('ſ', 's')
    return 'true'.includes(folded) || 'false'.includes(folded)
  },
  int: (term) => /^[-\d]+$/.test(term),
  // Reals include `1e-7`, `inf` and `nan`.
  real: (term) => /^[-+.\deinfa]+$/i.test(term),
  datetime: isInTime,
  string: always,
  timespan: always,
  dynamic: always,
}

const TIME = 'dddd-dd-ddTdd:dd:dd'
const TIMES = [`${TIME}Z`, ...Array.from({ length: 9 }, (_, i) => `${TIME}.${'d'.repeat(i + 1)}Z`)]

/** True when the term is a part of the text of some time. */
function isInTime(term: string): boolean {
  const shape = term.replace(/\d/g, 'd').replace(/[tz]/g, (letter) => letter.toUpperCase())
  return !/d/i.test(term) && TIMES.some((time) => time.includes(shape))
}

/** True for digits that are not a whole term of any `2026-01-05T10:00:00.5Z`: only years, months, minutes and seconds are. */
function isNoPart(term: string): boolean {
  return /^\d+$/.test(term) && !/^(?:[0-5]\d|(?:19|2\d)\d\d)$/.test(term)
}
