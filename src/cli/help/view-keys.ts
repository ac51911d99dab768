import { KEYS } from '../commands/view/keymap.js'
import { type Block, blocksOf } from './block.js'

const LINES: readonly Block[] = KEYS.flatMap(({ keys, group, summary }, index) => [
  ...(group === KEYS[index - 1]?.group ? [] : [{ kind: 'heading', text: group } as const]),
  { kind: 'term', term: keys.join(', '), text: summary } as const,
])

/** The keys in the help of `evq view`: the keys for lines, and the keys for lists and prompts. */
export const VIEW_KEYS: readonly Block[] = [
  ...LINES,
  ...blocksOf(`
## Numbers, lists and prompts

a number :: in front of a key repeats it, or names a row: \`10j\` moves ten rows down, \`5n\` goes to the fifth match, \`120G\` to row 120, \`50%\` to the middle; Escape cancels it
after Enter :: j and k choose a field, = ! < > filter by its value, v counts its values, c makes it a column of a table that Enter shows; J and K show the next and the previous event; at the end, \`original\` has the lines of the event as they were written, which y copies
after v :: the arrows choose a value and a field, Enter or = keeps the events with the value, ! removes them
after d :: the arrows choose a bar of the histogram, Space begins and ends a span, = keeps its events; a second span is compared with the first
after Tab :: the arrows choose an operator of the query, Space switches it off and on, Enter edits it, x removes it
after /, & :: upper and lower case are the same; Ctrl-R switches between a text and a regular expression of RE2, which is searched within each field, where ^ and $ match at the ends of lines; \`(?-i)\` at its beginning makes case matter
after : :: Tab completes; the events that the typed query would remove are faint
in prompts :: Up and Down recall what was entered before and begins with what is typed
`),
]
