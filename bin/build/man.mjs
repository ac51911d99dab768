// Writes the manual page next to the bundle, from the command tree that tsc has just compiled.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { manPage } from '../../dist/cli/man.js'
import { COMMAND_NAMES, createProgram } from '../../dist/cli/program.js'

const root = join(import.meta.dirname, '../..')
const nothing = () => {}
const program = await createProgram(COMMAND_NAMES, {
  ...{ io: { stdout: process.stdout }, flags: () => ({}) },
  ...{ say: nothing, note: nothing, detail: nothing, hide: nothing, finish: nothing },
})
writeFileSync(join(root, 'dist/bundle/evq.1'), await manPage(program, program.version()))
