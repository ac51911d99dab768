import { errorCode, systemErrorText } from '../../text/system-error.js'

/** Messages that replace the messages of the system. */
const WORDS: Readonly<Record<string, string>> = {
  EPERM: 'permission denied',
  EISDIR: 'is a directory',
}

/** Returns the message of an error of the operating system; undefined for other errors. */
export function systemErrorMessage(error: unknown): string | undefined {
  return WORDS[errorCode(error) ?? ''] ?? systemErrorText(error)
}
