import type { Interface } from 'node:readline'

/** A key, as Node names it. */
export interface Key {
  readonly name?: string
  readonly ctrl?: boolean
  readonly meta?: boolean
}

/**
 * The methods of Node's line editor that can be replaced. They are not documented, but Node keeps them under these names
 * for programs that replace them.
 */
interface ReadlineInternals {
  _writeToOutput(text: string): void
  _refreshLine(): void
  _insertString(text: string): void
  _ttyWrite(text: string | undefined, key: Key): void
  /** Ends the line: moves the cursor after it, and empties the line. */
  clearLine(): void
  line: string
  cursor: number
  readonly paused: boolean
  /** False while several characters arrive at once, which are then appended to the line. */
  isCompletionEnabled: boolean
}

const METHODS = [
  '_writeToOutput',
  '_refreshLine',
  '_insertString',
  '_ttyWrite',
  'clearLine',
] as const

/** Returns the methods of a line editor; undefined if this version of Node lacks one. */
export function internalsOf(readline: Interface): (Interface & ReadlineInternals) | undefined {
  const internals = readline as Interface & ReadlineInternals
  return METHODS.every((name) => typeof internals[name] === 'function') ? internals : undefined
}
