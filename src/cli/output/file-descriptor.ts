import { fstatSync } from 'node:fs'

const NAMED: Readonly<Record<string, number>> = { '/dev/stdout': 1, '/dev/stderr': 2 }
const NUMBERED = /^\/dev\/fd\/(\d+)$/

/**
 * The descriptor that a name such as `/dev/stdout` stands for, where a file is behind it. Opened by the
 * name, that file would be written from its beginning, over what others have written there.
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
