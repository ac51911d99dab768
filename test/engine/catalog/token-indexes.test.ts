import { describe, expect, it } from 'vitest'
import { EngineError } from '../../../src/engine/engine.js'
import { sql } from '../../../src/sql/sql.js'
import { wrapped } from '../../support/engine.js'
import { TemporaryStore } from '../temporary-store.js'

describe('adding indexes of words', () => {
  it('succeeds at the second attempt after the response to the first was lost', async () => {
    let attempts = 0
    const evq = await TemporaryStore.open((engine) =>
      wrapped(engine, {
        async change(change) {
          await engine.change(change)
          if (!('statement' in change)) return
          if (!change.statement(sql`t`, () => sql``).text.includes('ADD INDEX')) return
          attempts += 1
          throw new EngineError('NETWORK_ERROR', 'the response is lost')
        },
      }),
    )
    await evq.ingest('{"n":1}\n')
    await expect(evq.ingest('{"message":"second"}\n')).rejects.toThrow()
    expect(attempts).toBe(1)
    expect(await evq.ingest('{"message":"third"}\n')).toMatchObject({ ingested: 1 })
    expect(await evq.values('line')).toEqual(['"{\\"n\\":1}"', '"{\\"message\\":\\"third\\"}"'])
  })
})
