import { expect, it } from 'vitest'
import { aplString } from '../../../../src/cli/commands/view/apl-text.js'
import { queryCommandLine } from '../../../../src/cli/commands/view/leave.js'
import type { ViewTarget } from '../../../../src/cli/commands/view/target.js'

/** The command line for a file. */
function commandFor(file: string, apl = 'where true'): string {
  const target: ViewTarget = {
    ...{ kind: 'files', title: file, patterns: [file], files: [file], reading: {} },
    ...{ query: { source: '', operators: [], isByTime: false }, labels: new Map() },
    ...{ readingFlags: [], range: [], params: [] },
  }
  return queryCommandLine({ apl, target, rows: 1, flags: {} })
}

it('escapes control characters, which a terminal does not print as they are', () => {
  expect(commandFor("it's \u001b[31m\\.log")).toBe(
    `evq query -i $'it\\'s \\u001b[31m\\\\.log' "where true"`,
  )
  expect(aplString("\u007fa'b\u202e\n")).toBe(String.raw`'\u007fa\'b\u202e\n'`)
})
