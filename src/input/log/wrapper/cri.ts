import type { WrappedLine, Wrapper } from './wrapper.js'

/** `2026-11-20T10:00:00.123456789Z stdout F text`, as containerd and CRI-O write it; `P` marks a part of a line. */
const LINE =
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)) (stdout|stderr) ([FP])(?::\S*)?(?: |$)/

/** The format of the Kubernetes container runtime interface. */
export const CRI: Wrapper = {
  name: 'cri',
  title: 'container log of Kubernetes (CRI)',
  example: '2026-11-20T10:00:00.123456789Z stdout F started',
  hasTime: true,
  parse,
  head: parse,
  isPartial: (head) => LINE.exec(head)?.[3] === 'P',
}

function parse(line: string): WrappedLine | undefined {
  const [head, time, stream, tag] = LINE.exec(line) ?? []
  if (head === undefined || time === undefined || stream === undefined) return undefined
  return {
    source: stream,
    fields: [['stream', stream]],
    time,
    text: line.slice(head.length),
    isPartial: tag === 'P',
  }
}
