/** What the system or a library calls an error, `ENOENT`; undefined for one that has no such name. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}
