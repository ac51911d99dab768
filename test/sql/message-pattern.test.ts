import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, type World } from '../support/ask.js'
import { openTestEngine } from '../support/engine.js'

// Lines in the style of well-known programs, each with its pattern, made by hand.

const MESSAGES: Readonly<Record<string, readonly (readonly [message: string, pattern: string])[]>> =
  {
    OpenSSH: [
      [
        'Failed password for invalid user webmaster from 173.234.31.186 port 38926 ssh2',
        'Failed password for invalid user webmaster from * port * ssh*',
      ],
      [
        'reverse mapping checking getaddrinfo for ns.marryaldkfaczcz.com [173.234.31.186] failed - POSSIBLE BREAK-IN ATTEMPT!',
        'reverse mapping checking getaddrinfo for ns.marryaldkfaczcz.com [*] failed - POSSIBLE BREAK-IN ATTEMPT!',
      ],
      [
        'pam_unix(sshd:auth): authentication failure; logname= uid=0 euid=0 tty=ssh ruser= rhost=60.2.12.12  user=root',
        'pam_unix(sshd:auth): authentication failure; logname= uid=* euid=* tty=ssh ruser= rhost=* user=root',
      ],
      [
        'Received disconnect from 212.47.254.145: 11: Bye Bye [preauth]',
        'Received disconnect from *: *: Bye Bye [preauth]',
      ],
      [
        'Accepted publickey for deploy from 10.0.0.8 port 51122 ssh2: RSA SHA256:4f:9c:aa:bb:cc:dd:ee:ff',
        'Accepted publickey for deploy from * port * ssh*: RSA SHA*',
      ],
    ],
    HDFS: [
      [
        'Receiving block blk_-1608999687919862906 src: /10.250.19.102:54106 dest: /10.250.19.102:50010',
        'Receiving block blk_* src: /* dest: /*',
      ],
      [
        'Receiving block blk_7503483334202473044 src: /10.251.215.16:55695 dest: /10.251.215.16:50010',
        'Receiving block blk_* src: /* dest: /*',
      ],
      [
        'BLOCK* NameSystem.allocateBlock: /user/root/rand8/_temporary/_task_200811101024_0011_m_000590_0/part-00590. blk_-2',
        'BLOCK* NameSystem.allocateBlock: /user/root/rand*/_temporary/_task_*_m_*/part-*. blk_*',
      ],
      [
        'PacketResponder 1 for block blk_38865049064139660 terminating',
        'PacketResponder * for block blk_* terminating',
      ],
    ],
    Kafka: [
      [
        '[Controller 0]: Rolled new log segment for [__consumer_offsets,37] in 2 ms.',
        '[Controller *]: Rolled new log segment for [__consumer_offsets,*] in * ms.',
      ],
      [
        'Client session timed out, have not heard from server in 6669ms for sessionid 0x15a7ba0d6a90000',
        'Client session timed out, have not heard from server in * for sessionid *',
      ],
      [
        '[ReplicaFetcherThread-0-1], Error for partition [orders,0] to broker 1: org.apache.kafka.NotLeaderException',
        '[ReplicaFetcherThread-*], Error for partition [orders,*] to broker *: org.apache.kafka.NotLeaderException',
      ],
    ],
    Spark: [
      [
        'Finished task 38.0 in stage 11.0 (TID 518) in 1,024 ms on mesos-slave-17 (39/40)',
        'Finished task * in stage * (TID *) in * ms on mesos-slave-* (*)',
      ],
      [
        'Block broadcast_9_piece0 stored as bytes in memory (estimated size 4.2 KB, free 317.5 KB)',
        'Block broadcast_*_piece* stored as bytes in memory (estimated size * KB, free * KB)',
      ],
      [
        'Input split: hdfs://10.10.34.11:9000/pjhe/logs/2kSOSP.log:21876+7292',
        'Input split: hdfs://*/pjhe/logs/*.log:*',
      ],
    ],
    ids: [
      ['request 3fa85f64-5717-4562-b3fc-2c963f66afa6 done', 'request * done'],
      ['request abcdabcd-face-cafe-beef-deadbeefcafe done', 'request * done'],
      ['commit deadbeefcafe and face2 and a1b2', 'commit * and * and *'],
      ['user-9 and User42 and k8s', 'user-* and User* and *'],
      ['mac 00:0c:29:ab:cd:ef, mac ab:cd:ef:00:11:22', 'mac *, mac *'],
      ['at fe80::1ff:fe23:4567:890a', 'at *'],
      ['pod web-7d9f8b6c5-xkcdq started', 'pod web-* started'],
      ['pod web-7d9f8b6c5-x2c4q started', 'pod web-* started'],
      ['at 2015-10-18T18:01:47.978+02:00 and 10/Oct/2000', 'at * and */Oct/*'],
      ['took 3ms, 1m2.5s, 5 %, -7, +8, x=-1e-9', 'took *, *, * %, *, *, x=*'],
      ['a1_2 is 12_a3 and x_y', '* is * and x_y'],
    ],
    text: [
      ['no numbers at all', 'no numbers at all'],
      ['', ''],
      ['size\t\t5   of    12', 'size * of *'],
      ['two\nlines 7', 'two\nlines *'],
      ['Größe 5 für façade, 数字 42', 'Größe * für façade, 数字 *'],
      ['bad add a bee and the dead', 'bad add a bee and the dead'],
      ['100% *of* 5', '*% *of* *'],
    ],
  }

let world: World

beforeAll(async () => {
  world = { engine: await openTestEngine(), datasets: new Map(), now: 1_767_229_200_000_000_000n }
})

afterAll(() => world.engine.close())

describe.each(Object.entries(MESSAGES))('messages of %s', (_, examples) => {
  it.each(examples)('%j', async (message, pattern) => {
    const { names, rows } = await ask(
      world,
      `print m = ${JSON.stringify(message)} | reduce by m | project pattern, example`,
    )
    expect(names).toEqual(['pattern', 'example'])
    expect(rows.map((row) => row.map((cell) => JSON.parse(cell)))).toEqual([[pattern, message]])
  })
})
