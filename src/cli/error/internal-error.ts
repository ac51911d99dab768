/** Formats an internal error for the log of the service. The client receives only the request id. */
export function formatInternalError(
  error: unknown,
  { traceId, withStack }: { readonly traceId: string; readonly withStack: boolean },
): string {
  return `request ${traceId} failed: ${withStack ? stackOf(error) : causesOf(error).join(': ')}`
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

function causesOf(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [String(error)]
  return error.cause === undefined ? [error.message] : [error.message, ...causesOf(error.cause)]
}
