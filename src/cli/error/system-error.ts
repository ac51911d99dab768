import { errorCode, systemErrorText } from '../../text/system-error.js'

/** Messages that replace the messages of the system. */
const WORDS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'is a directory',
  EMFILE: 'too many open files',
  ENOENT: 'no such file or directory',
  ENOSPC: 'no space left on device',
  ENOTDIR: 'not a directory',
  EROFS: 'read-only file system',
}

/** Returns the message of an error of the operating system; undefined for other errors. */
export function systemErrorMessage(error: unknown): string | undefined {
  return WORDS[errorCode(error) ?? ''] ?? systemErrorText(error)
}
