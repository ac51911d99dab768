/** The keys of the lines by group: the action, the names of the keys, and what they do. */
const GROUPS = {
  Move: [
    ['down', ['j', 'Down', 'Ctrl-N'], 'next row'],
    ['up', ['k', 'Up', 'Ctrl-P'], 'previous row'],
    ['page-down', ['Space', 'PageDown', 'f'], 'next screen'],
    ['page-up', ['b', 'PageUp', 'Ctrl-B'], 'previous screen'],
    ['half-down', ['Ctrl-D'], 'half a screen down'],
    ['half-up', ['Ctrl-U'], 'half a screen up'],
    ['top', ['g', 'Home'], 'first row; after a number, the row with the number: `120g`'],
    ['bottom', ['G', 'End'], 'last row; after a number, the row with the number'],
    ['percent', ['%'], 'after a number, the row at a percentage of all rows: `50%`'],
    ['mark', ['m'], 'mark the row with the letter that is typed next'],
    ['to-mark', ["'"], "go to the mark of a letter; '' to the row before the last jump"],
    ['follow', ['F'], 'follow: stay at the last row as events arrive, until a key moves up'],
    ['left', ['h', 'Left'], 'scroll to the left'],
    ['right', ['l', 'Right'], 'scroll to the right'],
  ],
  Find: [
    ['search', ['/'], 'find a text in any field; Ctrl-R makes it a regular expression'],
    ['next', ['n'], 'next match; `5n` is the fifth, as before the keys below'],
    ['previous', ['N'], 'previous match'],
    ['next-error', ['e'], 'next error'],
    ['previous-error', ['E'], 'previous error'],
    ['next-warning', ['w'], 'next warning'],
    ['previous-warning', ['W'], 'previous warning'],
    ['time', ['t'], 'go to a time: 10:30, 2026-01-31, 1h (ago), +10m (from the event)'],
  ],
  Event: [['event', ['Enter'], 'all fields of the event, and its original lines']],
  Filter: [
    [
      'compare',
      ['=', '!', '<', '>'],
      'only events with a value, without it, with at most or at least a value; choose the field',
    ],
    ['filter', ['&'], 'only events with a text, or without it: `&!text`; Ctrl-R as after `/`'],
    ['drop', ['u'], 'remove the last operator'],
    ['restore', ['Ctrl-R'], 'restore the removed operator'],
    ['toggle', ['Ctrl-F'], 'switch all filters off and on; the row stays'],
  ],
  Query: [
    ['query', [':'], 'edit the query'],
    ['operators', ['Tab'], 'choose an operator: switch it off, edit or remove it'],
    ['more-context', ['z'], 'show more events around each match: 1, 3, 10, …'],
    ['less-context', ['Z'], 'show fewer events around each match'],
    ['patterns', ['p'], 'the patterns of the messages; Enter shows the events of a pattern'],
    ['changes', ['d'], 'compare two spans of the histogram, or keep one'],
    ['facet', ['v'], 'the most frequent values of a field'],
  ],
  Screen: [
    ['fold', ['x'], 'show bursts of similar events as one row each'],
    ['wrap', ['S'], 'wrap long lines, or cut them'],
    ['histogram', ['i'], 'hide the events over time, or show them'],
  ],
  'Take along': [
    ['copy-event', ['y'], 'copy the event as JSON, or its chosen lines; leaving prints them, too'],
    ['copy-command', ['Y'], 'copy the command that prints these rows'],
    ['save', ['o'], 'save the rows in a file: errors.csv, .ndjson, .parquet, …'],
  ],
  Other: [
    ['help', ['?', 'F1'], 'this list; type to search it'],
    ['redraw', ['Ctrl-L'], 'draw the screen again'],
    ['suspend', ['Ctrl-Z'], 'stop; `fg` continues'],
    ['interrupt', ['Ctrl-C'], 'end a query, search or move, close a prompt, or leave'],
    ['quit', ['q'], 'leave, and print the query as a command'],
  ],
} as const

type Row = (typeof GROUPS)[keyof typeof GROUPS][number]

export type Action = Row[0]

/** The keys that search in a direction. */
export const SEARCHES: readonly Action[] = [
  ...(['next', 'previous', 'next-error', 'previous-error'] as const),
  ...(['next-warning', 'previous-warning'] as const),
]

export interface KeyEntry {
  readonly action: Action
  /** The names of the keys; the first is shown on the screen. */
  readonly keys: readonly string[]
  readonly group: string
  readonly summary: string
}

/** The keys of the lines. `evq help view` and `?` list them. */
export const KEYS: readonly KeyEntry[] = Object.entries(GROUPS).flatMap(([group, rows]) =>
  rows.map(([action, keys, summary]: Row) => ({ action, keys, group, summary })),
)

const BY_KEY = new Map(
  KEYS.flatMap(({ keys, action }) => keys.map((key) => [key, action] as const)),
)

/** True for a key of a number in front of other keys. */
export function isDigit(key: string): boolean {
  return /^\d$/.test(key)
}

/** Returns what a key does; undefined when it does nothing. */
export function actionOf(key: string): Action | undefined {
  return BY_KEY.get(key === ' ' ? 'Space' : key)
}
