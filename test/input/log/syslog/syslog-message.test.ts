import { describe, expect, it } from 'vitest'
import { event } from '../support.js'

const HEAD = 'Feb  5 17:32:18 web1 '

describe('the message of a program in syslog has fields and stays whole', () => {
  it.each([
    [
      'sshd[7]: Accepted publickey for alice from 192.0.2.1 port 51812 ssh2: RSA SHA256:x',
      { auth_method: 'publickey', user: 'alice', remote_addr: '192.0.2.1', remote_port: 51812 },
    ],
    [
      'sshd[7]: Failed password for invalid user admin from 2001:db8::1 port 22 ssh2',
      { auth_method: 'password', user: 'admin', remote_addr: '2001:db8::1', remote_port: 22 },
    ],
    [
      'sshd[7]: Connection closed by authenticating user root 192.0.2.1 port 40000 [preauth]',
      { user: 'root', remote_addr: '192.0.2.1', remote_port: 40000 },
    ],
    [
      'CRON[9]: (root) CMD (test -x /usr/sbin/anacron || (cd / && run-parts /etc/cron.daily))',
      {
        user: 'root',
        command: 'test -x /usr/sbin/anacron || (cd / && run-parts /etc/cron.daily)',
      },
    ],
    [
      'sudo:    alice : TTY=pts/0 ; PWD=/home/alice ; USER=root ; COMMAND=/usr/bin/apt update',
      {
        user: 'alice',
        tty: 'pts/0',
        pwd: '/home/alice',
        target_user: 'root',
        command: '/usr/bin/apt update',
      },
    ],
    [
      'kernel: [12.5] [UFW BLOCK] IN=eth0 OUT= MAC=01:00 SRC=192.0.2.1 DST=192.0.2.2 LEN=40 PROTO=TCP SPT=443 DPT=50000 WINDOW=0 RST',
      {
        IN: 'eth0',
        MAC: '01:00',
        SRC: '192.0.2.1',
        DST: '192.0.2.2',
        LEN: 40,
        PROTO: 'TCP',
        SPT: 443,
        DPT: 50000,
        WINDOW: 0,
      },
    ],
    [
      'haproxy[14389]: 10.0.1.2:33317 [06/Feb/2026:12:14:14.655] http-in static/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 {1wt.eu} {} "GET /index.html HTTP/1.1"',
      {
        remote_addr: '10.0.1.2',
        remote_port: 33317,
        time: '06/Feb/2026:12:14:14.655',
        frontend: 'http-in',
        backend: 'static',
        server: 'srv1',
        status: 200,
        bytes: 2750,
        time_total_ms: 109,
        method: 'GET',
        path: '/index.html',
      },
    ],
    [
      'postfix/smtpd[3]: connect from mail.example.com[192.0.2.7]',
      { remote_host: 'mail.example.com', remote_addr: '192.0.2.7' },
    ],
    [
      'postfix/smtp[3]: 3AB12C34D5: to=<bob@example.net>, delay=1.2, status=sent (250 ok)',
      { queue_id: '3AB12C34D5', to: 'bob@example.net', delay: 1.2, status: 'sent' },
    ],
    [
      'dnsmasq[7]: query[AAAA] example.com from 192.168.1.2',
      { action: 'query', query_type: 'AAAA', name: 'example.com', remote_addr: '192.168.1.2' },
    ],
    ['smtpd[3]: connect from mail.example.com[192.0.2.7]', {}],
    ['kernel: usb 1-1: IN=1 is not a packet', {}],
  ])('%s', async (line, fields) => {
    const found = await event(`${HEAD}${line}\n`, { format: 'syslog' })
    const message = line.slice(line.indexOf(': ') + 2)
    expect(found).toMatchObject({ host: 'web1', message, ...fields })
    if (Object.keys(fields).length === 0) {
      const known = ['_time', 'app', 'host', 'message', 'pid']
      expect(Object.keys(found as object).filter((name) => !known.includes(name))).toEqual([])
    }
  })
})

describe('messages of 400 kB are read in linear time', () => {
  it.each([
    ['of a device', `CEF:0|a|b|1|2|found|3|key=${' '.repeat(400_000)}x`],
    ['of a mail server', `postfix/smtp[3]: 3AB12C34D5: ${'a=<,'.repeat(100_000)}`],
    ['of the kernel', `kernel: ${':IN='.repeat(100_000)}`],
  ])('%s', async (_, message) => {
    expect(await event(`${HEAD}${message}\n`, { format: 'syslog' })).toHaveProperty('message')
  })
})
