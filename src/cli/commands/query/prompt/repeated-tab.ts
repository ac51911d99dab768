import type { Interface } from 'node:readline'
import { internalsOf } from './readline-internals.js'

/**
 * Drops Tab keys that repeat the last one and arrive together with other keys. Keys that are pressed while names are looked up
 * arrive together afterwards, like pasted text: Node would insert a Tab among them.
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
