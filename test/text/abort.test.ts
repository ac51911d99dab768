import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { aborted, orAborted } from '../../src/text/abort.js'

const never = new Promise<never>(() => {})

describe('orAborted', () => {
  it('settles like the work', async () => {
    const { signal } = new AbortController()
    expect(await orAborted(Promise.resolve(1), signal, () => 2)).toBe(1)
    const failure = new Error('broken')
    await expect(orAborted(Promise.reject(failure), signal, () => 2)).rejects.toBe(failure)
    expect(await orAborted(Promise.resolve(1), undefined, () => 2)).toBe(1)
  })

  it('returns the result of `stop`, or rejects with its error, once the signal is aborted', async () => {
    const gone = new AbortController()
    const returned = orAborted(never, gone.signal, () => 2)
    const thrown = orAborted(never, gone.signal, () => {
      throw new Error('stopped')
    })
    gone.abort()
    expect(await returned).toBe(2)
    await expect(thrown).rejects.toThrow('stopped')
    expect(await orAborted(never, gone.signal, () => 3)).toBe(3)
  })

  it('calls `stop` once and ignores a later failure of the work', async () => {
    const gone = new AbortController()
    let stops = 0
    let fail = (_: Error): void => {}
    const work = new Promise<void>((_, reject) => {
      fail = reject
    })
    const settled = orAborted(work, gone.signal, () => ++stops)
    gone.abort()
    fail(new Error('too late'))
    expect(await settled).toBe(1)
  })

  it('leaves no listener on the signal', async () => {
    const { signal } = new AbortController()
    await orAborted(Promise.resolve(), signal, () => {})
    await orAborted(Promise.reject(new Error('broken')), signal, () => {}).catch(() => {})
    // The listener is removed in the turn after the result.
    await new Promise(setImmediate)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})

describe('aborted', () => {
  it('resolves for a signal that is already aborted or is aborted later', async () => {
    const gone = new AbortController()
    const waiting = aborted(gone.signal)
    gone.abort()
    await waiting
    await aborted(gone.signal)
  })
})
