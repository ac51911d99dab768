import { KEYS } from '../../commands/view/keymap.js'
import { type Block, blocksOf } from '../block.js'

/** `evq help keys`, and the list of keys in the help of `evq view`. */
export const VIEW_KEYS: readonly Block[] = KEYS.flatMap(({ keys, group, summary }, index) => [
  ...(group === KEYS[index - 1]?.group ? [] : [{ kind: 'heading', text: group } as const]),
  { kind: 'term', term: keys.join(', '), text: summary } as const,
])

export const KEYS_TOPIC: readonly Block[] = [
  ...blocksOf(`
\`evq view\` shows the query above the events, and their position below them. A number in front of a key repeats it, or names a row: \`10j\` moves ten rows down, \`5n\` goes to the fifth match, \`120G\` to row 120 and \`50%\` to the middle; the number is shown while it is typed, and Escape cancels it. In the list of fields that Enter opens, j and k choose a field, = ! < > filter by its value, v counts its values, c chooses it as a column of a table that Enter shows, J and K show the next and the previous event, and Escape closes it. Below the fields are the lines of the event as they were written: \`original\`; when it is chosen, y copies them. In the list of values that v opens, the arrows choose a value and a field, Enter or = keeps the events with the value, and ! removes them. After d, the arrows choose a bar of the histogram, Space begins and ends a span, = keeps its events, and a second span is compared with the first. After Tab, the arrows choose an operator of the query, Space switches it off and on, Enter edits it, and x removes it. After \`/\` and \`&\`, upper and lower case are the same, and Ctrl-R switches between a text and a regular expression of RE2, which is searched within each field, where ^ and $ match at the ends of lines; \`(?-i)\` at its beginning makes case matter. The next text is of the same kind. In all prompts, Up and Down recall what was entered before and begins with what is typed; the texts of \`/\` and \`&\` are recalled together. In the prompt of \`:\`, Tab completes; while a query is typed, the events that it would remove are faint.
`),
  ...VIEW_KEYS,
]
