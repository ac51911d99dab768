/** An input can't be read, or not as what it is; the message names it. */
export class InputError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'InputError'
  }
}

/** What standard input is called where a file has its name. */
export const STANDARD_INPUT = 'standard input'

/** A file's name in backticks; standard input needs none. */
export function inputLabel(name: string): string {
  return name === STANDARD_INPUT ? 'Standard input' : `\`${name}\``
}
