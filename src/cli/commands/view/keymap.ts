/** The action of a key in the lines. */
export type Action =
  | 'down'
  | 'up'
  | 'page-down'
  | 'page-up'
  | 'half-down'
  | 'half-up'
  | 'top'
  | 'bottom'
  | 'follow'
  | 'left'
  | 'right'
  | 'search'
  | 'next'
  | 'previous'
  | 'next-error'
  | 'previous-error'
  | 'next-warning'
  | 'previous-warning'
  | 'time'
  | 'event'
  | 'filter'
  | 'keep'
  | 'exclude'
  | 'at-most'
  | 'at-least'
  | 'drop'
  | 'restore'
  | 'toggle'
  | 'query'
  | 'patterns'
  | 'changes'
  | 'more-context'
  | 'less-context'
  | 'copy-event'
  | 'copy-command'
  | 'save'
  | 'histogram'
  | 'fold'
  | 'wrap'
  | 'facet'
  | 'help'
  | 'redraw'
  | 'suspend'
  | 'quit'

/** A key of the list, with what it does. */
export interface KeyEntry {
  readonly action: Action
  /** The names of the keys; the first is shown on the screen. */
  readonly keys: readonly string[]
  readonly group: string
  readonly summary: string
}

/** The keys of the lines. `evq help view` and `?` list them. */
export const KEYS: readonly KeyEntry[] = [
  { action: 'down', keys: ['j', 'Down', 'Ctrl-N'], group: 'Move', summary: 'next row' },
  { action: 'up', keys: ['k', 'Up', 'Ctrl-P'], group: 'Move', summary: 'previous row' },
  { action: 'page-down', keys: ['Space', 'PageDown', 'f'], group: 'Move', summary: 'next screen' },
  { action: 'page-up', keys: ['b', 'PageUp', 'Ctrl-B'], group: 'Move', summary: 'previous screen' },
  { action: 'half-down', keys: ['Ctrl-D'], group: 'Move', summary: 'half a screen down' },
  { action: 'half-up', keys: ['Ctrl-U'], group: 'Move', summary: 'half a screen up' },
  { action: 'top', keys: ['g', 'Home'], group: 'Move', summary: 'first row' },
  { action: 'bottom', keys: ['G', 'End'], group: 'Move', summary: 'last row' },
  {
    action: 'follow',
    keys: ['F'],
    group: 'Move',
    summary: 'follow: stay at the last row as events arrive, until a key moves up',
  },
  { action: 'left', keys: ['h', 'Left'], group: 'Move', summary: 'scroll to the left' },
  { action: 'right', keys: ['l', 'Right'], group: 'Move', summary: 'scroll to the right' },
  { action: 'search', keys: ['/'], group: 'Find', summary: 'find a text in any field' },
  { action: 'next', keys: ['n'], group: 'Find', summary: 'next match' },
  { action: 'previous', keys: ['N'], group: 'Find', summary: 'previous match' },
  { action: 'next-error', keys: ['e'], group: 'Find', summary: 'next error' },
  { action: 'previous-error', keys: ['E'], group: 'Find', summary: 'previous error' },
  { action: 'next-warning', keys: ['w'], group: 'Find', summary: 'next warning' },
  { action: 'previous-warning', keys: ['W'], group: 'Find', summary: 'previous warning' },
  {
    action: 'time',
    keys: ['t'],
    group: 'Find',
    summary: 'go to a time: 10:30, 2026-01-31, 1h',
  },
  { action: 'event', keys: ['Enter'], group: 'Event', summary: 'all fields of the event' },
  {
    action: 'keep',
    keys: ['='],
    group: 'Filter',
    summary: 'only events with a value; choose the field',
  },
  { action: 'exclude', keys: ['!'], group: 'Filter', summary: 'only events without a value' },
  { action: 'at-most', keys: ['<'], group: 'Filter', summary: 'only events with at most a value' },
  {
    action: 'at-least',
    keys: ['>'],
    group: 'Filter',
    summary: 'only events with at least a value',
  },
  {
    action: 'filter',
    keys: ['&'],
    group: 'Filter',
    summary: 'only events with a text; `&!text` without it',
  },
  { action: 'drop', keys: ['u'], group: 'Filter', summary: 'remove the last operator' },
  { action: 'restore', keys: ['Ctrl-R'], group: 'Filter', summary: 'bring it back' },
  {
    action: 'toggle',
    keys: ['Ctrl-F'],
    group: 'Filter',
    summary: 'switch all filters off and on; the row stays',
  },
  { action: 'query', keys: [':'], group: 'Query', summary: 'edit the query' },
  {
    action: 'more-context',
    keys: ['z'],
    group: 'Query',
    summary: 'show more events around each match: 1, 3, 10, …',
  },
  { action: 'less-context', keys: ['Z'], group: 'Query', summary: 'show fewer of them' },
  {
    action: 'patterns',
    keys: ['p'],
    group: 'Query',
    summary: 'the patterns of the messages; Enter shows the events of one',
  },
  {
    action: 'changes',
    keys: ['d'],
    group: 'Query',
    summary: 'what changed between two spans of the histogram',
  },
  { action: 'facet', keys: ['v'], group: 'Query', summary: 'the most frequent values of a field' },
  {
    action: 'fold',
    keys: ['x'],
    group: 'Screen',
    summary: 'show bursts of similar events as one row each',
  },
  { action: 'wrap', keys: ['S'], group: 'Screen', summary: 'wrap long lines, or cut them' },
  {
    action: 'histogram',
    keys: ['i'],
    group: 'Screen',
    summary: 'hide the events over time, or show them',
  },
  {
    action: 'copy-event',
    keys: ['y'],
    group: 'Take along',
    summary: 'copy the event as JSON; leaving prints it, too',
  },
  {
    action: 'copy-command',
    keys: ['Y'],
    group: 'Take along',
    summary: 'copy the command that prints these rows',
  },
  {
    action: 'save',
    keys: ['o'],
    group: 'Take along',
    summary: 'save the rows in a file: errors.csv, .ndjson, .parquet, …',
  },
  { action: 'help', keys: ['?', 'F1'], group: 'Other', summary: 'this list; type to search it' },
  { action: 'redraw', keys: ['Ctrl-L'], group: 'Other', summary: 'draw the screen again' },
  { action: 'suspend', keys: ['Ctrl-Z'], group: 'Other', summary: 'stop; `fg` continues' },
  {
    action: 'quit',
    keys: ['q', 'Ctrl-C'],
    group: 'Other',
    summary: 'leave, and print the query as a command',
  },
]

const BY_KEY = new Map(
  KEYS.flatMap(({ keys, action }) => keys.map((key) => [key, action] as const)),
)

/** Returns what a key does; undefined when it does nothing. */
export function actionOf(key: string): Action | undefined {
  return BY_KEY.get(key === ' ' ? 'Space' : key)
}
