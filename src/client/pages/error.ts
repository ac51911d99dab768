/** A service answers in a way from which the rows of a query can't be told for certain; says in which. */
export class PagingError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'PagingError'
  }
}
