/** An input cannot be read, or does not have its format; the message names the input. */
export class InputError extends Error {
  override readonly name = 'InputError'
}

/** The name of standard input in messages. */
export const STANDARD_INPUT = 'standard input'

/** Returns the name of an input for the start of a sentence: files in backticks. */
export function inputLabel(name: string): string {
  return name === STANDARD_INPUT ? 'Standard input' : `\`${name}\``
}
