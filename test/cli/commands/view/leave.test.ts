import { expect, it } from 'vitest'
import { aplString } from '../../../../src/cli/commands/view/apl-text.js'
import { queryCommandLine } from '../../../../src/cli/commands/view/leave.js'
import type { ViewTarget } from '../../../../src/cli/commands/view/target.js'

const QUERY = {
  ...{ query: { source: '', operators: [], isByTime: false }, labels: new Map() },
  ...{ readingFlags: [], range: [], params: [] },
}

/** The command line for a file. */
function commandFor(file: string, apl = 'where true'): string {
  const files = {
    kind: 'files',
    title: file,
    patterns: [file],
    files: [file],
    reading: {},
  } as const
  const target: ViewTarget = { ...QUERY, ...files }
  return queryCommandLine({ apl, target, rows: 1, flags: {} })
}

it('escapes control characters, which a terminal does not print as they are', () => {
  expect(commandFor("it's \u001b[31m\\.log")).toBe(
    `evq query -i $'it\\'s \\u001b[31m\\\\.log' "where true"`,
  )
  expect(aplString("\u007fa'b\u202e\n")).toBe(String.raw`'\u007fa\'b\u202e\n'`)
})

it('asks a dataset for its events of all times, in the future too', () => {
  const target: ViewTarget = { ...QUERY, kind: 'dataset', title: 'logs' }
  const command = { apl: "['logs'] | where n > 1", target, rows: 1, flags: {} }
  expect(queryCommandLine(command)).toBe(`evq query --since 1970-01-01 "['logs'] | where n > 1"`)
  const since = { ...command, target: { ...target, range: ['--since', '2h'] } }
  expect(queryCommandLine(since)).toBe(`evq query --since 2h "['logs'] | where n > 1"`)
})
