import type { Interface } from 'node:readline'
import { internalsOf } from './readline-internals.js'

/**
 * Drops Tab keys that repeat the last one and arrive together with other keys. Keys wait while names are asked for, and arrive
 * together afterwards, as pasted text does: a Tab among them would be inserted.
 */
export function dropRepeatedTabs(readline: Interface): void {
  const editor = internalsOf(readline)
  if (editor === undefined) return
  const type = editor._ttyWrite.bind(editor)
  let wasCompletion = false
  editor._ttyWrite = (text, key = {}) => {
    const isTab = key.name === 'tab'
    if (isTab && wasCompletion && !editor.isCompletionEnabled) return
    wasCompletion = isTab && editor.isCompletionEnabled
    type(text, key)
  }
}
