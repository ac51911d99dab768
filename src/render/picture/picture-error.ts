/** Thrown for a result that cannot be drawn. The message says why, and which results can be drawn. */
export class PictureError extends Error {
  override readonly name = 'PictureError'
}
