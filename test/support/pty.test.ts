import { describe, expect, it } from 'vitest'
import { needs } from './needs.js'
import { hasTerminal, startOnTerminal } from './pty.js'
import { Screen } from './screen.js'

describe('a terminal', needs(hasTerminal, 'a pseudo-terminal'), () => {
  it('has a size that can change', async () => {
    const script = `
      const tell = () => console.log(\`size \${process.stdout.columns} \${process.stdin.isTTY}\`)
      tell(); process.stdout.on('resize', tell)
      process.stdin.on('data', (line) => { console.log('read', String(line).trim()); process.exit(7) })`
    const terminal = startOnTerminal([process.execPath, '-e', script], { columns: 33 })
    await terminal.until(/size 33 true/)
    terminal.resize(44)
    await terminal.until(/size 44 true/)
    terminal.type('hello\r')
    await terminal.until(/read hello/)
    expect(await terminal.ended).toEqual({ status: 7, signal: null })
  })

  it('turns Ctrl-C into a signal, also for a program that is fed by a pipe', async () => {
    const script = `process.on('SIGINT', () => { console.log('stopped'); process.exit(3) })
      process.stdin.on('data', (text) => console.log(\`piped \${text} \${process.stdin.isTTY}\`))`
    const terminal = startOnTerminal([process.execPath, '-e', script], { pipes: ['stdin'] })
    terminal.child.stdin?.write('a')
    await terminal.until(/piped a undefined/)
    terminal.type('\x03')
    await terminal.until(/stopped/)
    expect((await terminal.ended).status).toBe(3)
  })

  it('keeps what a program wrote before it ended while nothing was read', async () => {
    const script = `require('fs').writeSync(1, 'x'.repeat(10_000) + 'last')`
    const terminal = startOnTerminal([process.execPath, '-e', script])
    // Blocks this thread.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
    expect((await terminal.ended).status).toBe(0)
    expect(terminal.raw()).toBe(`${'x'.repeat(10_000)}last`)
  })
})

describe('a screen', () => {
  it('shows what is left after lines were drawn over and erased', () => {
    const screen = new Screen('one\r\ntwo\x1b[1G\x1b[2Kthree\r\n\x1b[1A\x1b[31mfour\x1b[0m', 80)
    expect(screen.text()).toBe('one\nfoure')
    expect(screen.hasWrapped).toBe(false)
  })

  it('notices a line that is longer than a row', () => {
    expect(new Screen('12345', 5).hasWrapped).toBe(false)
    expect(new Screen('日本語', 5).lines).toEqual(['日本', '語'])
    expect(new Screen('日本語', 5).hasWrapped).toBe(true)
  })
})
