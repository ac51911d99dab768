/** An input can't be read, or not as what it is; the message names it. */
export class InputError extends Error {
  readonly input: string

  constructor(input: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'InputError'
    this.input = input
  }
}
