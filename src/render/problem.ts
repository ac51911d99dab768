import type { Problem } from '../text/problem.js'
import type { Span } from '../text/span.js'
import { width } from '../text/width.js'
import { wrapText } from '../text/wrap.js'
import { escapeControls, withoutTabs } from './escape-controls.js'
import { cutText, lastColumns } from './fit-text.js'
import { type Color, colorSequence } from './terminal-text.js'

// A problem may come from any service: the code does not rely on spans within the query or on printable sentences.

/** Renders problems as excerpts of the query with carets, separated by blank lines; ends with a line feed. */
export function renderProblems(
  text: string,
  problems: readonly Problem[],
  { color, columns }: { readonly color: Color; readonly columns?: number | undefined },
): string {
  const style = { paint: paintOf(color), columns: columns || undefined }
  return problems.map((problem) => renderProblem(text, problem, style)).join('\n')
}

interface ProblemStyle {
  readonly paint: Paint
  /** Width of the terminal; undefined disables wrapping. */
  readonly columns: number | undefined
}

type Paint = (part: keyof typeof COLORS, text: string) => string

const COLORS = { problem: '1;31', message: '1', gutter: '34', help: '36' } as const

function paintOf(color: Color): Paint {
  return (part, text) =>
    text === '' ? '' : colorSequence(COLORS[part], color) + text + colorSequence('0', color)
}

function renderProblem(text: string, problem: Problem, { paint, columns }: ProblemStyle): string {
  const digits = String(lastLine(text, clampedSpan(text, problem.span)).number).length
  const most = columns === undefined ? MAX_COLUMNS : Math.min(MAX_COLUMNS, columns - digits - 3)
  const marked = markedLines(text, problem.span, Math.max(most, MIN_COLUMNS))
  const gutter = (number: string) => paint('gutter', `${number.padStart(digits)} |`)
  const code = `error[${escapeControls(problem.code)}]`
  // The code must not be broken across lines.
  const place = '-'.repeat(width(code))
  const message = wrapText(`${place}: ${escapeControls(problem.message)}`, columns).slice(
    place.length,
  )
  const lines = [paint('problem', code) + paint('message', message), gutter('')]
  for (const [i, line] of marked.entries()) {
    const isLast = i === marked.length - 1
    const label = isLast && problem.label ? ` ${escapeControls(problem.label)}` : ''
    const carets = ' '.repeat(line.indent) + paint('problem', '^'.repeat(line.carets) + label)
    if (i > 0 && line.number > marked[i - 1]!.number + 1) lines.push(gutter('').replace('|', ':'))
    lines.push(`${gutter(String(line.number))} ${line.text}`.trimEnd(), `${gutter('')} ${carets}`)
  }
  if (problem.help !== undefined) {
    const margin = digits + ' = help: '.length
    const sign = paint('gutter', `${' '.repeat(digits)} =`)
    const room = columns === undefined ? undefined : Math.max(columns - margin, MIN_COLUMNS)
    const help = wrapText(escapeControls(problem.help), room).replaceAll(
      '\n',
      `\n${' '.repeat(margin)}`,
    )
    lines.push(`${sign} ${paint('help', 'help')}: ${help}`)
  }
  return `${lines.join('\n')}\n`
}

/** A line of the query, and the position of the carets under it. */
interface MarkedLine {
  /** From 1. */
  readonly number: number
  readonly text: string
  readonly indent: number
  readonly carets: number
}

/** Returns the first and the last line of a span. */
function markedLines(text: string, span: Span, most: number): readonly MarkedLine[] {
  const { start, end } = clampedSpan(text, span)
  const lines = text.split('\n')
  const first = lineAt(text, start)
  const last = lastLine(text, { start, end })
  const line = (number: number) => (lines[number - 1] ?? '').replace(/\r$/, '')
  if (first.number === last.number) {
    const marks = { from: start - first.start, to: end - first.start }
    return [markLine(first.number, line(first.number), { ...marks, most })]
  }
  const opening = line(first.number)
  const closing = line(last.number)
  const margin = closing.length - closing.trimStart().length
  return [
    markLine(first.number, opening, { from: start - first.start, to: opening.length, most }),
    markLine(last.number, closing, { from: margin, to: end - last.start, most }),
  ]
}

function clampedSpan(text: string, span: Span): Span {
  const start = clamp(span.start, 0, text.length)
  return { start, end: clamp(span.end, start, text.length) }
}

/** An end right after a line break belongs to the line in front of it. */
function lastLine(text: string, { start, end }: Span): ReturnType<typeof lineAt> {
  return lineAt(text, Math.max(start, end - 1))
}

function lineAt(text: string, offset: number): { readonly number: number; readonly start: number } {
  const before = text.slice(0, offset).split('\n')
  return { number: before.length, start: offset - before.at(-1)!.length }
}

/** The widest excerpt of a line; of longer lines the part around the carets is shown. */
const MAX_COLUMNS = 200
const MIN_COLUMNS = 20
const SHARE_BEFORE_CARETS = 0.3
const SHARE_OF_CARETS = 0.5

function markLine(
  number: number,
  line: string,
  { from, to, most }: { readonly from: number; readonly to: number; readonly most: number },
): MarkedLine {
  const whole = [line.slice(0, from), line.slice(from, to), line.slice(to)]
  let [before = '', marked = '', after = ''] = whole.map(shown)
  if (width(before) + width(marked) + width(after) > most) {
    before = endOf(before, Math.floor(most * SHARE_BEFORE_CARETS))
    marked = cutText(marked, Math.floor(most * SHARE_OF_CARETS))
    after = cutText(after, most - width(before) - width(marked))
  }
  const carets = Math.max(1, width(marked))
  return { number, text: before + marked + after, indent: width(before), carets }
}

function shown(text: string): string {
  return escapeControls(withoutTabs(text))
}

function endOf(text: string, most: number): string {
  return width(text) <= most ? text : `…${lastColumns(text, most - 1)}`
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most)
}
