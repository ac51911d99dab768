import { setFlagsFromString } from 'node:v8'
import type { Reporter } from './reporter.js'

/**
 * Keeps V8's young generation small: batches are outside the heap, and objects on the heap are short-lived. The flag is set after
 * the first batch, when the program is loaded: V8 rejects cached code that was compiled with other flags.
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
