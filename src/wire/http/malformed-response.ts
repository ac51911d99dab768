/** The response does not follow the interface; the message says where. */
export class MalformedResponseError extends Error {
  constructor(what: string) {
    super(`Unexpected response: ${what}.`)
    this.name = 'MalformedAnswerError'
  }
}
