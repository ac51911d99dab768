/** What came back is not what the interface promises; the message says where it departs from it. */
export class MalformedResponseError extends Error {
  constructor(what: string) {
    super(`The answer is not what this interface gives: ${what}.`)
    this.name = 'MalformedAnswerError'
  }
}
