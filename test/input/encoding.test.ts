import { describe, expect, it } from 'vitest'
import { cut, eventsIn, inPieces } from './support.js'

const JAPANESE = 'データベースに接続できませんでした: タイムアウト'
const CHINESE = '服务器启动成功，开始连接数据库'
const KOREAN = '서버를 시작했습니다. 데이터베이스 연결'

async function messagesOf(message: Buffer, piece = 64 * 1024): Promise<readonly unknown[]> {
  const parts = [
    '2026-11-20 10:00:00 INFO ',
    message,
    '\n2026-11-20 10:00:01 ERROR ',
    message,
    '\n',
  ]
  const log = Buffer.concat(parts.map((one) => Buffer.from(one as string)))
  const events = eventsIn(await cut(inPieces(log, piece)))
  return events.map((event) => (event as { readonly message?: unknown }).message)
}

// The bytes are those that iconv writes.
describe('the encoding of an input', () => {
  it.each([
    [
      'Shift-JIS',
      JAPANESE,
      '8366815b835e8378815b835882c990da91b182c582ab82dc82b982f182c582b582bd3a20835e83438380834183458367',
    ],
    [
      'EUC-JP',
      JAPANESE,
      'a5c7a1bca5bfa5d9a1bca5b9a4cbc0dcc2b3a4c7a4ada4dea4bba4f3a4c7a4b7a4bf3a20a5bfa5a4a5e0a5a2a5a6a5c8',
    ],
    ['GBK', CHINESE, 'b7fecef1c6f7c6f4b6afb3c9b9a6a3acbfaacabcc1acbdd3cafdbeddbfe2'],
    [
      'EUC-KR',
      KOREAN,
      'bcadb9f6b8a620bdc3c0dbc7dfbdc0b4cfb4d92e20b5a5c0ccc5cdbaa3c0ccbdba20bfacb0e1',
    ],
  ])('is recognized: %s', async (_, text, hex) => {
    expect(await messagesOf(Buffer.from(hex, 'hex'))).toEqual([text, text])
  })

  it.each([
    ['windows-1251', 'cde520f3e4e0ebeef1fc20efeee4eaebfef7e8f2fcf1ff20ea20e1e0e7e520e4e0ededfbf5'],
    ['KOI8-R', 'eec520d5c4c1cccfd3d820d0cfc4cbccc0dec9d4d8d3d120cb20c2c1dac520c4c1ceced9c8'],
    [
      'windows-1252',
      '476572e474206ce47566742066fc72206772f6df657265204175667472e4676520fc626572616c6c206dfcdf69672c20e974e92064e96ae0206372e9e920e0204e6feb6c',
    ],
    [
      'windows-1253',
      'c1f0eff4f5f7dfe120f3fdede4e5f3e7f220ece520f4e720e2dcf3e720e4e5e4efecddedf9ed',
    ],
    ['windows-1255', 'e4e7e9e1e5f820eceef1e320e4f0fae5f0e9ed20f0ebf9ec'],
    ['windows-874', 'e4c1e8cad2c1d2c3b6e0aad7e8cdc1b5e8cdb0d2b9a2e9cdc1d9c5e4b4e9'],
    ['Big5', 'b54caa6bb373b1b5b8eaaec6ae77a141b373bd75b94faec9a141bdd0c0cbac64b35da977'],
  ])('is not taken for another one: %s', async (_, hex) => {
    const bytes = Buffer.from(hex, 'hex')
    const [message] = await messagesOf(bytes)
    // The replacement of a byte depends on whether windows-1252 has it.
    expect(message).not.toMatch(/[\u3041-\u30ff\u4e00-\u9fff\uac00-\ud7a3]/)
  })

  it.each([JAPANESE, CHINESE, KOREAN])('is UTF-8 despite invalid bytes: %s', async (text) => {
    const broken = Buffer.from('\n2026-11-20 10:00:00 INFO \xe4\xff', 'latin1')
    const [message] = await messagesOf(Buffer.concat([Buffer.from(text), broken]))
    expect(message).toBe(text)
  })

  it('is not guessed from few characters', async () => {
    const [message] = await messagesOf(Buffer.from('b7fecef1c6f7c6f4b6af', 'hex'))
    expect(message).not.toMatch(/[\u4e00-\u9fff]/)
  })

  it('may have characters that a read cuts', async () => {
    const bytes = Buffer.from(
      '8366815b835e8378815b835882c990da91b182c582ab82dc82b982f182c582b582bd3a20835e83438380834183458367'.repeat(
        50,
      ),
      'hex',
    )
    const text = JAPANESE.repeat(50)
    for (const piece of [5_001, 5_002]) expect(await messagesOf(bytes, piece)).toEqual([text, text])
  })
})
