/** Samples that are not read as expected yet. */
export const PENDING: ReadonlySet<string> = new Set([
  'lang/logrus-text',
  'lang/slog-text',
  'server/auditd',
  'server/journal-short',
])
