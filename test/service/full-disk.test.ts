import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { needs } from '../support/needs.js'
import { temporaryDirectory } from '../support/temporary.js'

// A separate file system, 200 MB in memory, that is filled to the last byte.

const directory = temporaryDirectory()
const state = temporaryDirectory()
const mount = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', directory])
const binary = join(import.meta.dirname, '../../bin/evq.js')

describe(
  'on a full disk',
  needs(mount.status === 0, 'a file system mounted with `unshare -rm`'),
  () => {
    it('every change on a full disk is refused with a clear message, and nothing hangs', async () => {
      const output = await onFullDisk([
        "starred create --name B --apl 'logs | count'",
        'starred delete "$ID"',
        'token create board --query logs',
        'dataset trim logs --before 2030-01-01 --yes',
        'dataset delete logs --yes',
        'dataset rename logs journal',
        'ingest logs "$INPUT" --data-dir "$STATE/other" --checkpoint "$MOUNT/cp.json"',
      ])
      const full = 'The disk of the service is full. Nothing was changed.'
      const delete_ =
        'The disk is full. Nothing was changed: deleting events or renaming a dataset temporarily needs'
      for (const [i, words] of [
        full,
        full,
        "can't be written: the disk is full.",
        delete_,
        delete_,
        delete_,
        'no space left',
      ].entries()) {
        expect(output.commands[i]).toContain(words)
        expect(output.commands[i]).toMatch(/exit 1$/)
      }
      expect(output.files).toEqual(['data', 'fill', 'fill-rest'])
      expect(output.log).not.toMatch(/"status":500|"msg":"request \S+ failed/)
    })

    it('small batches that were accepted are found, and their dataset can be deleted', async () => {
      // 64 MiB are reserved: there is room for a few small batches only.
      const spare = 64 * 1024 * 1024 + 200 * 1024
      const script = `
        export EVQ_DATA_DIR="$MOUNT/data"
        mount -t tmpfs -o size=200m tmpfs "$MOUNT"
        evq() { "$NODE" "$BINARY" "$@"; }
        send() { seq 1 100 | sed 's/.*/{"n":&}/' | evq ingest logs 2>/dev/null; }
        "$NODE" "$BINARY" serve --listen 127.0.0.1:0 --port-file "$STATE/port-2" 2>/dev/null & service=$!
        while [ ! -s "$STATE/port-2" ]; do kill -0 $service; sleep 0.1; done
        send
        read free size < <(stat -f -c '%a %S' "$MOUNT")
        head -c $((free * size - ${spare})) /dev/zero > "$MOUNT/fill"
        send
        evq query 'logs | count' -o csv 2>&1
        send
        evq dataset delete logs --yes 2>&1
        echo "exit $?"
        kill $service; wait $service`
      expect(await withMounts(script)).toMatch(/^Count\n200\n[\s\S]*exit 0\n$/)
    })

    it('a data directory that cannot be opened without free inodes is not called corrupted', async () => {
      const script = `
        export EVQ_DATA_DIR="$MOUNT"
        mount -t tmpfs -o size=200m,nr_inodes=400 tmpfs "$MOUNT"
        echo '{"n":1}' | "$NODE" "$BINARY" ingest logs 2>/dev/null
        i=0
        while : 2>/dev/null > "$EVQ_DATA_DIR/$i"; do i=$((i + 1)); done
        "$NODE" "$BINARY" query 'logs | count' 2>&1 | tail -1`
      expect(await withMounts(script)).toBe(
        `evq: The data directory \`${directory}\` can't be written: the disk is full.\n`,
      )
    })

    it('a data directory that was created on a full disk is not called corrupted, and works once there is space', async () => {
      const script = `
        export EVQ_DATA_DIR="$MOUNT"
        mount -t tmpfs -o size=200m tmpfs "$MOUNT"
        evq() { "$NODE" "$BINARY" "$@"; }
        dd if=/dev/zero of="$EVQ_DATA_DIR/fill" bs=4k 2>/dev/null
        echo '{"n":1}' | evq ingest logs 2>/dev/null
        evq query 'logs | count' 2>&1 | tail -1
        rm "$EVQ_DATA_DIR/fill"
        echo '{"n":1}' | evq ingest logs 2>/dev/null
        evq query 'logs | count' -o csv 2>/dev/null`
      expect(await withMounts(script)).toBe(
        `evq: The data directory \`${directory}\` can't be written: the disk is full.\nCount\n1\n`,
      )
    })

    it('a query of files names the directory for temporary files', async () => {
      const script = `
        export TMPDIR="$MOUNT"
        mount -t tmpfs -o size=40m tmpfs "$MOUNT"
        printf '{"n":1}\n{"n":2}\n' | "$NODE" "$BINARY" query count 2>&1
        echo "exit $?"
        ls -A "$TMPDIR"`
      expect(await withMounts(script)).toBe(
        `evq: The events do not fit on the disk of \`${directory}\`, of which 64 MiB are left free. Free some space, or set \`TMPDIR\` to a directory on another disk.\nexit 1\n`,
      )
    })
  },
)

/** Runs commands against a service whose data directory is on a full disk. */
async function onFullDisk(commands: readonly string[]) {
  const script = `
    set -e
    export EVQ_DATA_DIR="$MOUNT/data" INPUT="$STATE/in.ndjson"
    mount -t tmpfs -o size=200m tmpfs "$MOUNT"
    evq() { "$NODE" "$BINARY" "$@"; }
    seq 1 100 | sed 's/.*/{"n":&}/' > "$INPUT"
    evq ingest logs "$INPUT" --no-checkpoint 2>/dev/null
    "$NODE" "$BINARY" serve --listen 127.0.0.1:0 --port-file "$STATE/port" 2>"$STATE/log" & service=$!
    while [ ! -s "$STATE/port" ]; do kill -0 $service; sleep 0.1; done
    ID=$(evq starred create --name A --apl 'logs | count' 2>/dev/null | sed 's/{"id":"//; s/".*//')
    set +e
    dd if=/dev/zero of="$MOUNT/fill" bs=1M 2>/dev/null
    # Before each command, since the engine may have removed a file.
    fill() { dd if=/dev/zero of="$MOUNT/fill-rest" bs=512 oflag=append conv=notrunc 2>/dev/null; }
    ${commands.map((command) => `fill; timeout 120 "$NODE" "$BINARY" ${command} 2>&1 </dev/null | tail -1; echo "exit \${PIPESTATUS[0]}"; echo ---`).join('\n')}
    ls "$MOUNT"
    kill $service; wait $service`
  const parts = (await withMounts(script)).split('---\n')
  return {
    commands: parts.slice(0, -1).map((part) => part.trim()),
    files: (parts.at(-1) ?? '').trim().split('\n'),
    log: readFileSync(join(state, 'log'), 'utf8'),
  }
}

/** Runs a script that may mount file systems, and returns its output. */
async function withMounts(script: string): Promise<string> {
  const { stdout } = await promisify(execFile)('unshare', ['-rm', 'bash', '-c', script], {
    env: {
      PATH: process.env.PATH,
      NODE: process.execPath,
      BINARY: binary,
      MOUNT: directory,
      STATE: state,
      XDG_STATE_HOME: state,
    },
    timeout: 280_000,
  })
  return stdout
}
