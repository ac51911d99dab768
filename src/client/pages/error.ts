/** The responses of a service do not allow all rows of a query to be determined; the message says why. */
export class PagingError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'PagingError'
  }
}
