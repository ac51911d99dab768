import type { Problem } from '../text/problem.js'
import type { Span } from '../text/span.js'
import { graphemes, width } from '../text/width.js'
import { visible } from './visible.js'

// A problem may come from a service of another making: nothing here trusts that its span lies inside
// the text, or that its sentences are safe to print.

/** Problems as excerpts of the query with carets, a blank line between them; ends with a newline. */
export function renderProblems(
  text: string,
  problems: readonly Problem[],
  options: { readonly color: boolean },
): string {
  const paint = options.color ? colored : plain
  return problems.map((problem) => renderProblem(text, problem, paint)).join('\n')
}

type Paint = (color: keyof typeof COLORS, text: string) => string

const COLORS = { problem: '1;31', message: '1', gutter: '34', help: '36' } as const

function colored(color: keyof typeof COLORS, text: string): string {
  return text === '' ? '' : `\x1b[${COLORS[color]}m${text}\x1b[0m`
}

function plain(_color: keyof typeof COLORS, text: string): string {
  return text
}

function renderProblem(text: string, problem: Problem, paint: Paint): string {
  const marked = markedLines(text, problem.span)
  const digits = String(marked.at(-1)?.number ?? 1).length
  const gutter = (number: string) => paint('gutter', `${number.padStart(digits)} |`)
  const head = paint('problem', `error[${visible(problem.code)}]`)
  const lines = [`${head}${paint('message', `: ${visible(problem.message)}`)}`, gutter('')]
  for (const [i, line] of marked.entries()) {
    const isLast = i === marked.length - 1
    const label = isLast && problem.label ? ` ${visible(problem.label)}` : ''
    const carets = ' '.repeat(line.indent) + paint('problem', '^'.repeat(line.carets) + label)
    if (i > 0 && line.number > marked[i - 1]!.number + 1) lines.push(gutter('').replace('|', ':'))
    lines.push(`${gutter(String(line.number))} ${line.text}`.trimEnd(), `${gutter('')} ${carets}`)
  }
  if (problem.help !== undefined) {
    const sign = paint('gutter', `${' '.repeat(digits)} =`)
    lines.push(`${sign} ${paint('help', 'help')}: ${visible(problem.help)}`)
  }
  return `${lines.join('\n')}\n`
}

/** A line of the query as it is shown, and where the carets go under it. */
interface MarkedLine {
  /** From 1. */
  readonly number: number
  readonly text: string
  readonly indent: number
  readonly carets: number
}

/** The first and the last line of a span: what lies between them is clear from these. */
function markedLines(text: string, span: Span): readonly MarkedLine[] {
  const start = clamp(span.start, 0, text.length)
  const end = clamp(span.end, start, text.length)
  const lines = text.split('\n')
  const first = lineAt(text, start)
  // An end right behind a line break belongs to the line before it.
  const last = lineAt(text, Math.max(start, end - 1))
  const line = (number: number) => (lines[number - 1] ?? '').replace(/\r$/, '')
  if (first.number === last.number) {
    const marks = { from: start - first.start, to: end - first.start }
    return [markLine(first.number, line(first.number), marks)]
  }
  const opening = line(first.number)
  const closing = line(last.number)
  const margin = closing.length - closing.trimStart().length
  return [
    markLine(first.number, opening, { from: start - first.start, to: opening.length }),
    markLine(last.number, closing, { from: margin, to: end - last.start }),
  ]
}

function lineAt(text: string, offset: number): { readonly number: number; readonly start: number } {
  const before = text.slice(0, offset).split('\n')
  return { number: before.length, start: offset - before.at(-1)!.length }
}

/** Columns of a line that are shown at most; of a longer one, those around the carets. */
const MOST_COLUMNS = 200
const BEFORE_CARETS = 60
const OF_CARETS = 100

function markLine(
  number: number,
  line: string,
  marks: { readonly from: number; readonly to: number },
): MarkedLine {
  const whole = [line.slice(0, marks.from), line.slice(marks.from, marks.to), line.slice(marks.to)]
  let [before = '', marked = '', after = ''] = whole.map(shown)
  if (width(before) + width(marked) + width(after) > MOST_COLUMNS) {
    before = endOf(before, BEFORE_CARETS)
    marked = startOf(marked, OF_CARETS)
    after = startOf(after, MOST_COLUMNS - width(before) - width(marked))
  }
  const carets = Math.max(1, width(marked))
  return { number, text: before + marked + after, indent: width(before), carets }
}

function shown(text: string): string {
  return visible(text.replaceAll('\t', '    '))
}

function startOf(text: string, most: number): string {
  return width(text) <= most ? text : `${fitting(graphemes(text), most - 1).join('')}…`
}

function endOf(text: string, most: number): string {
  if (width(text) <= most) return text
  const kept = fitting([...graphemes(text)].reverse(), most - 1)
  return `…${[...kept].reverse().join('')}`
}

function fitting(pieces: readonly string[], most: number): readonly string[] {
  let columns = 0
  const end = pieces.findIndex((piece) => {
    columns += width(piece)
    return columns > most
  })
  return end === -1 ? pieces : pieces.slice(0, end)
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most)
}
