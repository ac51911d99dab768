/** A result has no picture. The message says why, and which results have one. */
export class PictureError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'PictureError'
  }
}
