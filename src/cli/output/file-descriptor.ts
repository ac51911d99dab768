import { fstatSync } from 'node:fs'

const NAMED: Readonly<Record<string, number>> = { '/dev/stdout': 1, '/dev/stderr': 2 }
const NUMBERED = /^\/dev\/fd\/(\d+)$/

/**
 * Returns the descriptor that a name such as `/dev/stdout` stands for, if it is open on a file; undefined otherwise. Opening the
 * file by this name would overwrite it from its beginning.
 */
export function fileDescriptor(path: string): number | undefined {
  const descriptor = NAMED[path] ?? Number(NUMBERED.exec(path)?.[1] ?? -1)
  return descriptor >= 0 && isFile(descriptor) ? descriptor : undefined
}

function isFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile()
  } catch {
    return false
  }
}
