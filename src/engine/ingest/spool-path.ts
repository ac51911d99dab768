import { StoreError } from '../store-error.js'

// In a file's name the engine takes these for a pattern. It reads whatever fits, and when nothing
// does it reads nothing and says that all is well: events would be lost, or stored twice.
const PATTERN = /[*?{},]/

/** Refuses a path that the engine would not take as it is. */
export function refusePattern(path: string): void {
  if (!PATTERN.test(path)) return
  throw new StoreError({
    reason: 'failed',
    message: `The path \`${path}\` can't hold events on their way to the engine: it takes \`*\`, \`?\`, \`{\`, \`}\` and \`,\` for a pattern. \`--data-dir\` names another directory.`,
  })
}
