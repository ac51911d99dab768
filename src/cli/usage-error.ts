/** The command line asks for something that cannot be: says what, and what to write instead. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UsageError'
  }
}
