import { setFlagsFromString } from 'node:v8'
import type { Reporter } from './reporter.js'

/**
 * Keeps V8's young generation small: batches are outside the heap, and objects on it have short lives. Only after the first
 * batch: V8 takes compiled code only under the flags it was made under, and the program is loaded by then.
 */
export function smallYoungGeneration(): Reporter {
  let isSet = false
  return {
    async settled() {
      if (isSet) return
      isSet = true
      setFlagsFromString('--semi-space-growth-factor=1')
    },
  }
}
