import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the number of steps of the upgrade from layout 1 in the definitions of the tables, which are files in a folder. */
export function upgradeSteps(tables) {
  if (!existsSync(tables)) return 0
  const definitions = readdirSync(tables)
    .filter((file) => file.endsWith('.sql'))
    .map((file) => readFileSync(join(tables, file), 'utf8'))
  const marks = definitions.flatMap((text) => [
    /`status:int`[^\n]*CODEC/.test(text),
    text.includes('INDEX tokens1'),
  ])
  return marks.filter(Boolean).length
}
