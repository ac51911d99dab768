import { errorCode, systemErrorText } from '../../text/system-error.js'

/** Where there are better words than the system's own. */
const WORDS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a directory',
  EMFILE: 'too many open files',
  ENOENT: 'no such file or directory',
  ENOSPC: 'no space left on the device',
  ENOTDIR: 'a part of the path is not a directory',
  EROFS: 'the file system is read-only',
}

/** What the operating system refused, in words; nothing for an error that is not of its kind. */
export function systemErrorMessage(error: unknown): string | undefined {
  return WORDS[errorCode(error) ?? ''] ?? systemErrorText(error)
}
