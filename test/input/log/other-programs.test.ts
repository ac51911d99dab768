import { expect, it } from 'vitest'
import { eventsOf } from './sample-events.js'

// Lines as programs write them that no format is named after: general rules have to read them.

const T0 = '2026-11-20T10:00:00Z'
const T1 = '2026-11-20T10:00:01Z'

const LOGS: Readonly<Record<string, readonly [lines: string, ...expected: object[]]>> = {
  mosquitto: [
    '1795168800: mosquitto version 2.0.11 starting\n1795168801: New connection',
    { _time: T0, message: 'mosquitto version 2.0.11 starting' },
    { _time: T1, message: 'New connection' },
  ],
  jellyfin: [
    '[2026-11-20 10:00:00.000 +00:00] [INF] [1] Main: Started\n[2026-11-20 10:00:01.000 +00:00] [WRN] [13] Server: Slow',
    { _time: T0, level: 'info' },
    { _time: T1, level: 'warn' },
  ],
  'node-red': [
    '20 Nov 10:00:00 - [info] Started flows\n20 Nov 10:00:01 - [error] [mqtt in:abc] Failed',
    { _time: T0, level: 'info', message: 'Started flows' },
    { _time: T1, level: 'error', message: '[mqtt in:abc] Failed' },
  ],
  syncthing: [
    '[ABCDE] 2026/11/20 10:00:00 INFO: started\n[ABCDE] 2026/11/20 10:00:01 WARNING: failed',
    { _time: T0, level: 'info' },
    { _time: T1, level: 'warn' },
  ],
  vaultwarden: [
    '[2026-11-20 10:00:00.000][vaultwarden::api][INFO] Hello\n[2026-11-20 10:00:01.000][start][ERROR] Bad',
    { _time: T0, level: 'info' },
    { _time: T1, level: 'error' },
  ],
  'pi-hole': [
    '[2026-11-20 10:00:00.000 UTC 123M] INFO: started\n[2026-11-20 10:00:01.000 UTC 123/T4] WARNING: long',
    { _time: T0, level: 'info' },
    { _time: T1, level: 'warn' },
  ],
  qbittorrent: [
    '(N) 2026-11-20T10:00:00 - started\n(W) 2026-11-20T10:00:01 - Disk full',
    { _time: T0, level: 'notice', message: 'started' },
    { _time: T1, level: 'warn', message: 'Disk full' },
  ],
  plex: [
    'Nov 20, 2026 10:00:00.000 [0x7f12] DEBUG - Request\nNov 20, 2026 10:00:01.000 [0x7f12] ERROR - Failed',
    { _time: T0, level: 'debug' },
    { _time: T1, level: 'error' },
  ],
  'bunyan on a terminal': [
    '[2026-11-20T10:00:00.000Z]  INFO: app/1 on h: up\n[2026-11-20T10:00:01.000Z] ERROR: app/1 on h: down',
    { _time: T0, level: 'info', message: 'app/1 on h: up' },
    { _time: T1, level: 'error', message: 'app/1 on h: down' },
  ],
  'pino on a terminal': [
    '[10:00:00.123] INFO (42): up\n    port: 3000\n[10:00:01.123] ERROR (42): failed',
    { level: 'info', time: '10:00:00.123', message: '(42): up\n    port: 3000' },
    { level: 'error', message: '(42): failed' },
  ],
  winston: [
    '2026-11-20T10:00:00.000Z [app] info: started\n2026-11-20T10:00:01.000Z [app] error: failed',
    { _time: T0, level: 'info', message: '[app] info: started' },
    { _time: T1, level: 'error', message: '[app] error: failed' },
  ],
  gitea: [
    '2026/11/20 10:00:00 ...s/setting.go:568:Load() [I] AppPath: /x\n2026/11/20 10:00:01 routers/init.go:1:Init() [E] Failed',
    { _time: T0, level: 'info', function: 'Load', line: 568, message: 'AppPath: /x' },
    { _time: T1, level: 'error', message: 'Failed' },
  ],
  freeradius: [
    'Fri Nov 20 10:00:00 2026 : Info: Ready\nFri Nov 20 10:00:01 2026 : Error: Failed',
    { _time: T0, level: 'info', message: 'Ready' },
    { _time: T1, level: 'error', message: 'Failed' },
  ],
  'CUPS requests': [
    'localhost - - [20/Nov/2026:10:00:00 +0000] "POST / HTTP/1.1" 200 350 Create-Job successful-ok',
    { status: 200, bytes: 350, extra: ['Create-Job', 'successful-ok'], referer: undefined },
  ],
  'CUPS errors': [
    'E [20/Nov/2026:10:00:00 +0000] [Job 12] Stopping\nW [20/Nov/2026:10:00:01 +0000] Slow',
    { _time: T0, level: 'error', message: '[Job 12] Stopping' },
    { _time: T1, level: 'warn', message: 'Slow' },
  ],
  'OpenLDAP in syslog': [
    'Nov 20 10:00:00 h slapd[1]: conn=1 fd=12 ACCEPT from IP=10.0.0.5:50000 (IP=0.0.0.0:389)\nNov 20 10:00:01 h slapd[1]: conn=1 op=0 BIND dn="cn=x" method=128',
    { _time: T0, message: 'conn=1 fd=12 ACCEPT from IP=10.0.0.5:50000 (IP=0.0.0.0:389)' },
    { _time: T1, app: 'slapd', BIND: undefined },
  ],
  telegraf: [
    '2026-11-20T10:00:00Z I! Starting\n2026-11-20T10:00:01Z E! [outputs.x] Failed',
    { _time: T0, level: 'info' },
    { _time: T1, level: 'error' },
  ],
  'Azure Functions': [
    '2026-11-20T10:00:00Z   [Information]   Executing (Reason=x, Id=1)\n2026-11-20T10:00:01Z   [Error]   Failed',
    { _time: T0, level: 'info', Id: undefined },
    { _time: T1, level: 'error' },
  ],
  'UniFi controller': [
    '[2026-11-20T10:00:00,000] <inform-1> WARN  dev    - x\n[2026-11-20T10:00:01,000] <db> ERROR system - y',
    { _time: T0, level: 'warn' },
    { _time: T1, level: 'error' },
  ],
  confluence: [
    '2026-11-20 10:00:00,000 INFO [main] [com.x] up\n2026-11-20 10:00:01,000 ERROR [http] [web] down',
    { _time: T0, level: 'info', message: '[main] [com.x] up' },
    { _time: T1, level: 'error', message: '[http] [web] down' },
  ],
  ceph: [
    '2026-11-20T10:00:00.000+0000 7f12  0 mon.a@0(leader) x\n2026-11-20T10:00:01.000+0000 7f12 -1 osd.1 y',
    { _time: T0, message: '7f12  0 mon.a@0(leader) x' },
    { _time: T1, message: '7f12 -1 osd.1 y' },
  ],
  gluster: [
    '[2026-11-20 10:00:00.000000] I [MSGID: 1] [x.c:27:main] 0-x: up\n[2026-11-20 10:00:01.000000] E [y.c:1:go] 0-x: down',
    { _time: T0, level: 'info' },
    { _time: T1, level: 'error' },
  ],
  ESXi: [
    '2026-11-20T10:00:00.000Z info hostd[2099] [x] up\n2026-11-20T10:00:01.000Z error hostd[2099] [x] down',
    { _time: T0, level: 'info' },
    { _time: T1, level: 'error' },
  ],
  teamcity: [
    '[2026-11-20 10:00:00,000]   INFO -   x.SERVER - up\n[2026-11-20 10:00:01,000]  ERROR -   x.X - down',
    { _time: T0, level: 'info' },
    { _time: T1, level: 'error' },
  ],
  'an English sentence': [
    '2026-11-20 10:00:00 I think so\n2026-11-20 10:00:01 information is missing',
    { _time: T0, message: 'I think so', level: undefined },
    { _time: T1, message: 'information is missing', level: undefined },
  ],
  'a separator that belongs to the line': [
    '2026-11-20 10:00:00 UTC,"a","b",1\n2026-11-20 10:00:01 UTC,"c","d",2',
    { _time: T0, message: expect.stringContaining('"a","b",1') },
    { _time: T1, message: expect.stringContaining('"c","d",2') },
  ],
  'dates that may be read in two orders': [
    '03/04/2026 10:00:00 INFO started\n04/05/2026 10:00:00 ERROR failed',
    { level: 'info', message: 'started', _time: undefined },
    { level: 'error', message: 'failed' },
  ],
}

it.each(Object.entries(LOGS))('the lines of %s have their time and level', async (_, log) => {
  const [lines, ...expected] = log
  const events = await eventsOf(Buffer.from(`${lines}\n`))
  const actual = events.map(({ fields }, index) => {
    const all: Readonly<Record<string, unknown>> = plain(fields)
    return Object.fromEntries(Object.keys(expected[index] ?? all).map((key) => [key, all[key]]))
  })
  expect(actual).toEqual(expected)
})

/** Returns an event whose time has no fraction of zeros. */
function plain(event: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const time = event._time as string | undefined
  if (time === undefined) return event
  return { ...event, _time: time.replace(/\.0+Z$/, 'Z') }
}
