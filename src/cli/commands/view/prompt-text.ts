// Reads the texts of prompts.
import { checkApl, splitApl } from '../../../apl/language.js'
import type { Problem } from '../../../text/problem.js'
import { parseTimestamp } from '../../../wire/time/timestamp.js'
import { failureOf } from '../../error/failure.js'
import { parseTime } from '../../option/time.js'
import { aplString } from './apl-text.js'
import { shownTime } from './clock.js'
import { instantOfRow } from './histogram.js'
import { aplOf, filterOf, type ViewQuery, viewQuery, withReplaced } from './query.js'
import { selectedRow } from './rows.js'
import type { Prompt, State } from './state.js'

/** The value of a valid text, or the message about another text. */
type Typed<Value> = { readonly value: Value } | { readonly problem: string }

/** Reads the text of a query, or of the operators that replace one operator. */
export function typedQuery(
  state: State,
  text: string,
  operator: Prompt['operator'],
): Typed<ViewQuery> {
  const { query } = state
  if (operator === undefined) return parsedQuery(state, text)
  if (text === '') return { value: withReplaced(query, operator, []) }
  const alone = { source: query.source, operators: [filterOf(text)], isByTime: false }
  const parsed = parsedQuery(state, aplOf(alone))
  if ('problem' in parsed) return parsed
  return { value: withReplaced(query, operator, parsed.value.operators) }
}

function parsedQuery({ reading, labels, now }: State, typed: string): Typed<ViewQuery> {
  const hasInput = reading !== undefined
  const text = hasInput ? typed.replace(/^\|\s*/, '') : typed
  // Events of a dataset or of several files are sorted by time.
  const sorts = !hasInput || labels.size > 1
  if (text === '' && hasInput) {
    return { value: viewQuery({ source: '', operators: [] }, { sorts }) }
  }
  const inputs = { ...(hasInput && { main: 'input' }), file: () => undefined }
  const problem = firstProblem(text, { now: now(), inputs })
  if (problem !== undefined) return { problem: problemText(problem) }
  const split = splitApl(text, { hasInput })
  return split === undefined
    ? { problem: 'The query does not parse.' }
    : { value: viewQuery(split, { sorts }) }
}

/** Returns the message about a regular expression that the engine does not accept. */
export function regexProblem({ now }: State, text: string): string | undefined {
  const problem = firstProblem(`print '' matches regex ${aplString(text)}`, { now: now() })
  return problem && `${problem.message.replace(/\.$/, '')}: ${problem.label}.`
}

/** Reads a time. A time without a date is on the day of the selected event, and `+10m` and `-10m` count from its time. */
export function typedTime({ zone, rows, now }: State, text: string): Typed<bigint> {
  const selected = selectedRow(rows)
  const start = instantOfRow(selected)
  const reference = { now: (text.startsWith('-') ? start : undefined) ?? now(), start, zone }
  const day = shownTime(selected?.cells.get('_time'), zone)?.day
  const isClock = /^\d\d?:\d\d/.test(text) && day !== undefined
  const written = isClock ? `${day}T${text.replace(/^\d:/, '0$&')}` : text
  try {
    return { value: parseTimestamp(text) ?? parseTime(written, reference) }
  } catch (error) {
    return { problem: failureOf(error).message.replace(written, () => text) }
  }
}

function firstProblem(text: string, known: Parameters<typeof checkApl>[1]): Problem | undefined {
  const checked = checkApl(text, known)
  return 'problems' in checked ? checked.problems[0] : undefined
}

/** Returns a sentence about what is wrong with a query, and one with the nearest name or what would work. */
export function problemText({ message, label, help }: Omit<Problem, 'span'>): string {
  const hint = label?.startsWith('close to ') ? label : help
  return hint === undefined
    ? message
    : `${message} ${hint.charAt(0).toUpperCase()}${hint.slice(1)}.`
}
