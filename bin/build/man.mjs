// @ts-check
// Writes the manual page next to the bundle, from the command tree that tsc has just compiled.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const { manPage } = await import(`${root}/dist/cli/man.js`)
const { COMMAND_NAMES, createProgram } = await import(`${root}/dist/cli/program.js`)
const nothing = () => {}
/** @type {import('../../src/cli/context.js').Context} */
const context = {
  io: {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: {},
    now: Date.now,
  },
  flags: () => ({}),
  attach: () => false,
  info: nothing,
  warn: nothing,
  debug: nothing,
  hide: nothing,
  finish: nothing,
}
const program = await createProgram(COMMAND_NAMES, context)
writeFileSync(join(root, 'dist/bundle/evq.1'), await manPage(program, program.version()))
