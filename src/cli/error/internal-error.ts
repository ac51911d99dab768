/** A failure that is the service's own fault, for whoever runs it: the caller is told the id only. */
export function formatInternalError(
  error: unknown,
  { traceId, withStack }: { readonly traceId: string; readonly withStack: boolean },
): string {
  return `request ${traceId} failed: ${withStack ? stackOf(error) : causesOf(error).join(': ')}`
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** What went wrong and, as far as it is known, why. */
function causesOf(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [String(error)]
  return error.cause === undefined ? [error.message] : [error.message, ...causesOf(error.cause)]
}
