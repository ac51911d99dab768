import type { TableField } from '../../../wire/http/tabular-result.js'
import type { JsonText } from '../../../wire/json/json-text.js'
import type { TimeZone } from '../../../wire/time/time-zone.js'
import type { Completions } from '../../query/completion.js'
import type { ScreenSize } from '../../terminal/full-screen.js'
import type { KeyPress } from '../../terminal/keys.js'
import type { SearchText } from './apl-text.js'
import type { Facet } from './facet.js'
import type { FileLabels } from './file-labels.js'
import type { Histogram } from './histogram.js'
import type { LineEdit } from './line-edit.js'
import type { Original } from './original.js'
import {
  contextOf,
  isPaged,
  isTable,
  type PatternRows,
  type ViewOperator,
  type ViewQuery,
} from './query.js'
import type { HeldRows, ViewRow } from './row.js'
import type { Place, RowCounts, RowsPage, Search } from './row-source.js'

/** Everything that decides what is on the screen, and what is to be done. */
export interface State {
  /** The requests to carry out, in this order. */
  readonly requests: readonly Request[]
  readonly size: ScreenSize
  /** The files or the dataset, for the first line. */
  readonly title: string
  readonly labels: FileLabels
  readonly zone: TimeZone
  /** The clock, to which times in prompts and queries refer: nanoseconds since 1970. */
  readonly now: () => bigint
  readonly query: ViewQuery
  /** Increases with each change of the query. Results of requests for an earlier query are ignored. */
  readonly generation: number
  /** The query before the last change. It is restored when the service refuses the changed one. */
  readonly former?: ViewQuery | undefined
  /** The text of a query that was refused or stopped, until it is edited. */
  readonly refused?: string | undefined
  /** The operators that `u` has removed, the last one at the end. */
  readonly removed: readonly ViewOperator[]
  readonly rows: Rows
  readonly counts?: RowCounts | undefined
  /** True while the counts of this query are computed. */
  readonly isCounting: boolean
  /** The progress of reading the files; undefined for a dataset. */
  readonly reading?: ReadingState | undefined
  /** The text that `/` searches, which is marked on the screen. */
  readonly search?: SearchText | undefined
  /** True when the text that was entered last after `/` or `&` is a regular expression, and so the next one is, too. */
  readonly isRegex: boolean
  /** A search that continues until a row is found, everything is read, or Ctrl-C is pressed; while it waits, any key ends it. */
  readonly sought?: Sought | undefined
  /** The texts entered in prompts, by subject, the last one first. */
  readonly history: Readonly<Record<string, readonly SearchText[]>>
  /** The cursors of marked rows by letter. */
  readonly marks: Readonly<Record<string, string>>
  /** Set until the letter of a mark is typed. */
  readonly marking?: 'mark' | 'to-mark' | undefined
  /** The digits of a number in front of a key. */
  readonly digits: string
  /** The keys that are handled when the rows that were requested, or the result of the search, are there. */
  readonly ahead: readonly KeyPress[]
  /** The cursor of the row that was selected last, before a query without rows. */
  readonly anchor?: string | undefined
  readonly panel: Panel
  readonly message?: Message | undefined
  /** The number of columns by which the lines are scrolled to the left. */
  readonly shift: number
  /** True while the last row stays selected as events arrive. */
  readonly isFollowing: boolean
  /** True while bursts of similar events are one row each. */
  readonly isFolded: boolean
  /** True while lines that are wider than the screen are wrapped. */
  readonly isWrapped: boolean
  readonly isHistogramShown: boolean
  readonly histogram: Side<Histogram>
  readonly facet: Side<Facet>
  /** The lines of the event whose fields are shown, or were shown last. */
  readonly original?: AskedOriginal | undefined
  /** The number of times that new events of a followed dataset were found. */
  readonly ticks: number
}

export interface ReadingState {
  readonly events: number
  /** From 0 to 1; undefined for a stream. */
  readonly share: number | undefined
  readonly bytes: number
  readonly isDone: boolean
  /** The number of events that were replaced, because more of them was written. */
  readonly replaced: number
  /** False for logs without times. */
  readonly hasTimes: boolean
  /** The events and files that could not be read, if any. */
  readonly trouble: string | undefined
}

/** The state before anything is read. */
export const NOTHING_READ: ReadingState = {
  events: 0,
  share: 0,
  bytes: 0,
  isDone: false,
  replaced: 0,
  hasTimes: true,
  trouble: undefined,
}

/** A computation beside the rows: the histogram, or the values of a field. */
interface Side<Value> {
  readonly value: Value | undefined
  /** The last request for the value. */
  readonly asked: Asked | undefined
}

/** The state for which a side was requested. */
export interface Asked {
  readonly generation: number
  /** The options of the side and the events that there were. The side is requested again when they change. */
  readonly of: string
  /** True when all events had been read. */
  readonly isWhole: boolean
  /** True until the request is answered. */
  readonly isOpen: boolean
}

interface AskedOriginal {
  readonly cursor: string
  readonly generation: number
  /** Undefined until the request is answered; null when events of the input have no lines. */
  readonly found: Original | null | undefined
}

/** A part of the rows, and its position on the screen. */
export interface Rows extends HeldRows {
  /** The index of the first item among all rows; undefined while it is not known. */
  readonly first: number | undefined
  /** True when there is no row in front of the items. */
  readonly hasStart: boolean
  /** True when there is no row after the items. */
  readonly hasEnd: boolean
  /** True for events at an end of files that are not queried yet. */
  readonly isPreview: boolean
  /** The index of the item in the first line of the screen. */
  readonly top: number
  /** The index of the selected item. */
  readonly selected: number
  readonly loading: Loading
}

interface Loading {
  readonly before: boolean
  readonly after: boolean
  /** The page that replaces all rows. */
  readonly other?: Move | undefined
  /** True after a page could not be read, until a key is pressed. */
  readonly hasFailed?: boolean
}

/** A move to rows at another place. */
interface Move {
  readonly place: Place
  /** The line of the screen for the row at the place; by default the line of the selected row. */
  readonly line?: number | undefined
}

export const IDLE: Loading = { before: false, after: false }

/** The panel over the lines, or the prompt in place of the status. */
export type Panel =
  | { readonly kind: 'none' }
  | EventPanel
  | FacetPanel
  | SpansPanel
  | OperatorsPanel
  | HelpPanel
  | Prompt

export interface HelpPanel {
  readonly kind: 'help'
  readonly filter: LineEdit
  /** The index of the first line of the list on the screen. */
  readonly top: number
}

/** The values of a field, beside the lines. */
export interface FacetPanel {
  readonly kind: 'facet'
  readonly field: string
  /** The index of the selected value. */
  readonly value: number
}

/** The fields of the selected row. */
export interface EventPanel {
  readonly kind: 'event'
  /** The index of the selected field, or `ORIGINAL`. */
  readonly field: number
  /** The number of lines of the field that are above the screen, if the field is higher than the screen. */
  readonly scroll: number
  /** The names of the fields to show as columns when the panel is closed with Enter. */
  readonly columns: readonly string[]
}

/** The choice of two spans of time in the histogram. */
export interface SpansPanel {
  readonly kind: 'spans'
  /** The index of the selected bar. */
  readonly bar: number
  /** The bars at the ends of the spans that were chosen so far. */
  readonly ends: readonly number[]
}

export interface OperatorsPanel {
  readonly kind: 'operators'
  /** The index of the operator among the operators that are on and off. */
  readonly operator: number
}

/** A line to type at the bottom. */
export interface Prompt {
  readonly kind: 'prompt'
  readonly purpose: 'filter' | 'search' | 'query' | 'time' | 'save'
  readonly line: LineEdit
  /** The text with which the prompt opened. */
  readonly opened: string
  /** True when the text to search is a regular expression. */
  readonly isRegex: boolean
  /** The line as it was typed, in place of which an earlier text may be shown. */
  readonly typed: Pick<Prompt, 'line' | 'isRegex'>
  /** The number of texts between the typed line and the one that is shown; 0 for the typed line. */
  readonly back: number
  /** The index of the operator that the text replaces, instead of the whole query. */
  readonly operator?: number | undefined
  /** The completions, after Tab. */
  readonly candidates?: readonly string[] | undefined
  /** The name of a file in which rows could not be saved. */
  readonly refused?: string | undefined
  readonly draft?: Draft
}

/** The rows that a query that is being typed keeps. */
export interface Draft {
  /** The text in the prompt. */
  readonly text: string
  /** The number of events that the query keeps. */
  readonly total: number
  /** The cursors of the rows on the screen that the query keeps. */
  readonly kept: ReadonlySet<string>
}

/** A note at the bottom until the next key. */
export interface Message {
  readonly kind: 'note' | 'error'
  readonly text: string
  /** True when no rows can be read. The message disappears when rows are read again. */
  readonly isUntilRows?: boolean
}

/** An input of the model. Events with the generation of an earlier query are ignored. */
export type Event =
  | { readonly kind: 'key'; readonly press: KeyPress }
  | { readonly kind: 'resize'; readonly size: ScreenSize }
  /** The events at an end of files; empty when only the service can read them. */
  | { readonly kind: 'preview'; readonly rows: readonly ViewRow[]; readonly end: 'head' | 'tail' }
  /** The service can be queried. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'reading'; readonly reading: ReadingState }
  /** Begins to follow, or polls a followed dataset. */
  | { readonly kind: 'follow' | 'tick' }
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'draft'; readonly draft: Draft }
  /** The completions of the text in front of the cursor; each replaces `written`. */
  | (Completions & { readonly kind: 'completions'; readonly text: string })
  | { readonly kind: 'original'; readonly cursor: string; readonly found: Original | null }
  | {
      readonly kind: 'failed'
      /** Missing for requests that do not depend on the query. */
      readonly generation?: number
      readonly request: Request['kind']
      /** The file in which rows could not be saved. */
      readonly file?: string
      readonly message: string
      /** True when the service refuses the query, false for other failures. */
      readonly isRefused: boolean
    }
  | ({ readonly generation: number } & QueryEvent)

export type EventOf<Kind extends Event['kind']> = Event & { readonly kind: Kind }

type QueryEvent =
  | {
      readonly kind: 'page'
      readonly place: Place
      readonly page: RowsPage
      readonly isComplete: boolean
    }
  | { readonly kind: 'rank'; readonly cursor: string; readonly index: number }
  /** `ticks` as it was at the time of the request. */
  | { readonly kind: 'counts'; readonly ticks: number; readonly counts: RowCounts }
  | { readonly kind: 'histogram'; readonly value: Histogram | undefined }
  | { readonly kind: 'facet'; readonly value: Facet | undefined }
  | ({ readonly kind: 'found'; readonly cursor: string | undefined } & Target)
  /** The query for the events of a pattern. */
  | { readonly kind: 'pattern'; readonly query: ViewQuery }

export type Request =
  | { readonly kind: 'original'; readonly cursor: string }
  | { readonly kind: 'preview'; readonly end: 'tail' }
  | {
      readonly kind: 'draft'
      /** The text in the prompt, and the query that it would make. */
      readonly text: string
      readonly query: ViewQuery
      /** The first row on the screen, and the number of rows there. */
      readonly cursor: string
      readonly lines: number
    }
  | { readonly kind: 'complete'; readonly text: string }
  /** Copies a text, or the command. */
  | { readonly kind: 'copy'; readonly text: string | undefined }
  /** `limit` is at least the number of rows. */
  | {
      readonly kind: 'save'
      readonly query: ViewQuery
      readonly file: string
      /** True when the name was entered again after it was refused, so that the rows may replace a file. */
      readonly replaces: boolean
      readonly limit: number
    }
  | { readonly kind: 'follow' | 'quit' | 'suspend' | 'redraw' }
  | FindRequest
  | (OfQuery & QueryRequest)

export type RequestOf<Kind extends Request['kind']> = Request & { readonly kind: Kind }

interface OfQuery {
  readonly generation: number
  readonly query: ViewQuery
}

type QueryRequest =
  | { readonly kind: 'page'; readonly place: Place; readonly limit: number }
  | { readonly kind: 'rank'; readonly rows: readonly ViewRow[] }
  | { readonly kind: 'counts'; readonly ticks: number }
  /** `most` is the maximum number of bars. */
  | { readonly kind: 'histogram'; readonly levels: readonly TableField[]; readonly most: number }
  | { readonly kind: 'facet'; readonly field: string }
  /** The query is that for the events that have the patterns; the pattern is undefined for events without a value. */
  | {
      readonly kind: 'pattern'
      readonly patterns: PatternRows
      readonly pattern: JsonText | undefined
    }

/** Finds a row in a direction. */
interface FindRequest extends OfQuery, Search, Target {
  readonly kind: 'find'
}

export interface Target extends Pick<Search, 'direction' | 'nth'> {
  /** The text or the level that is searched, for messages. */
  readonly what: string
}

/** A search that is repeated as more events are read. */
interface Sought {
  readonly request: FindRequest
  /** True until the request is answered. */
  readonly isOpen: boolean
}

/** The state after an event, and the requests to carry out. */
export interface Step {
  readonly state: State
  readonly requests: readonly Request[]
}

const NO_ROWS: Rows = {
  items: [],
  columns: [],
  first: undefined,
  hasStart: false,
  hasEnd: false,
  isPreview: true,
  top: 0,
  selected: 0,
  loading: IDLE,
}

const NOTHING = { value: undefined, asked: undefined }

export function startState(
  options: Pick<State, 'size' | 'title' | 'labels' | 'zone' | 'now' | 'query' | 'reading'>,
): State {
  return {
    ...options,
    requests: [],
    generation: 0,
    removed: [],
    isRegex: false,
    history: {},
    marks: {},
    digits: '',
    ahead: [],
    rows: NO_ROWS,
    isCounting: false,
    panel: { kind: 'none' },
    shift: 0,
    isFollowing: false,
    isFolded: false,
    isWrapped: false,
    isHistogramShown: true,
    histogram: NOTHING,
    facet: NOTHING,
    ticks: 0,
  }
}

/** The rows of the screen for the query and for the status. */
const OTHER_LINES = 2
/** The heights of the histogram, by the minimum number of rows of the screen. */
const HISTOGRAM_LINES = [
  { rows: 40, lines: 4 },
  { rows: 20, lines: 3 },
  { rows: 14, lines: 2 },
  { rows: 8, lines: 1 },
]

/** True when the events have no times but times of arrival, which are not shown. */
export function isUntimed({ rows, reading }: Pick<State, 'rows' | 'reading'>): boolean {
  const { items, isPreview } = rows
  // Only the events of a preview lack the time of arrival.
  if (isPreview && items.length > 0) return !items.some(({ cells }) => cells.has('_time'))
  return reading?.hasTimes === false
}

/** Returns why the rows have no times; undefined when they have. */
export function untimedReason(state: State): string | undefined {
  if (!isPaged(state.query)) return 'Rows of a table have no times.'
  return isUntimed(state) ? 'There are no times.' : undefined
}

/** Returns why the events over time can't be shown; undefined when they can. */
export function hiddenReason(state: State): string | undefined {
  const hasRoom = histogramLines({ ...state, isHistogramShown: true }) > 0
  const why = hasRoom ? undefined : 'The screen has too few lines for the events over time.'
  return untimedReason(state) ?? why
}

/** True when each event of the query is a row, and there are no other rows. */
export function isNumbered({ query, isFolded }: State): boolean {
  return contextOf(query) === 0 && !isFolded
}

/** Returns the number of rows of the screen that the histogram takes. */
export function histogramLines(state: ScreenState): number {
  const { size, isHistogramShown, query } = state
  if (!isHistogramShown || !isPaged(query) || isUntimed(state)) return 0
  return HISTOGRAM_LINES.find(({ rows }) => size.rows >= rows)?.lines ?? 0
}

type ScreenState = Pick<State, 'size' | 'isHistogramShown' | 'query' | 'rows' | 'reading'>

export function firstLine(state: ScreenState): number {
  return 1 + histogramLines(state)
}

/** Returns the number of rows of the screen below the histogram. */
export function panelLines(state: ScreenState): number {
  return Math.max(1, state.size.rows - OTHER_LINES - histogramLines(state))
}

/** Returns the number of rows that fit on the screen; a table has a heading. */
export function linesOf(state: ScreenState): number {
  return Math.max(1, panelLines(state) - (isTable(state.query) ? 1 : 0))
}

/** Returns the number of lines that are shown above a row that was found. */
export function linesAbove(state: ScreenState): number {
  return Math.floor(linesOf(state) / 3)
}

/** Returns the events that the text in the prompt keeps, if they are known. */
export function draftOf({ panel }: State): Draft | undefined {
  if (panel.kind !== 'prompt') return undefined
  return panel.draft?.text === panel.line.text ? panel.draft : undefined
}
