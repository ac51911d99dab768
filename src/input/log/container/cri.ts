import type { ContainerFormat } from './container-line.js'

/** `2026-11-20T10:00:00.123456789Z stdout F text`, as containerd and CRI-O write it; `P` marks a part of a line. */
const LINE =
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)) (stdout|stderr) ([FP])(?::\S*)?(?: |$)/

/** The format of the Kubernetes container runtime interface. */
export const CRI: ContainerFormat = {
  parse(line) {
    const [head, time, stream, tag] = LINE.exec(line) ?? []
    if (head === undefined || time === undefined || stream === undefined) return undefined
    return { time, stream, text: line.slice(head.length), isPartial: tag === 'P' }
  },
  head(line) {
    const [head] = LINE.exec(line) ?? []
    return head === undefined ? undefined : line.slice(head.length)
  },
  isOtherStream: (line, previous) => LINE.exec(line)?.[2] !== LINE.exec(previous)?.[2],
  isPartial: (head) => LINE.exec(head)?.[3] === 'P',
}
