/** Formats an internal error for the log of the service. The client receives only the request id. */
export function formatInternalError(
  error: unknown,
  { traceId, withStack }: { readonly traceId: string; readonly withStack: boolean },
): string {
  const texts = causesOf(error).map((one) => {
    if (!(one instanceof Error)) return String(one)
    return withStack ? (one.stack ?? one.message) : one.message
  })
  return `request ${traceId} failed: ${texts.join(withStack ? '\ncaused by ' : ': ')}`
}

function causesOf(error: unknown): readonly unknown[] {
  if (!(error instanceof Error) || error.cause === undefined) return [error]
  return [error, ...causesOf(error.cause)]
}
