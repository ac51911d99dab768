/** The response does not follow the interface; the message says where. */
export class MalformedResponseError extends Error {
  constructor(what: string) {
    super(`The answer is not what this interface gives: ${what}.`)
    this.name = 'MalformedAnswerError'
  }
}
