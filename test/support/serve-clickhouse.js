// A real ClickHouse server, HTTP and native TCP, from the embedded library (Linux with glibc):
// node serve-clickhouse.js <directory> <http port> <tcp port> [config.xml [address for other replicas]]
// The configuration of a replica has two addresses to listen on: SQL is served on the first, and other replicas on the second.
import { createRequire } from 'node:module'
import koffi from 'koffi'
import { ignoreConnectionErrors, patchLibrary } from './replicas/patch-library.js'

const { libchdbPath } = createRequire(import.meta.url)('chdb/libchdb')
const [, , directory, httpPort, tcpPort, config, interserver] = process.argv

const NOW_AND_GLOBAL = 0x102
const DIE_WITH_PARENT = 1
const SIGKILL = 9

const libc = koffi.load('libc.so.6')
const dlopen = libc.func('void* dlopen(const char*, int)')
const dlsym = libc.func('void* dlsym(void*, const char*)')
const onExit = libc.func('int on_exit(void*, void*)')
const strdup = libc.func('void* strdup(const char*)')
const calloc = libc.func('void* calloc(size_t, size_t)')
const prctl = libc.func('int prctl(int, ulong, ulong, ulong, ulong)')

// A crash of the library ends the process at once; its own handlers would write a report first.
koffi.load(libchdbPath()).func('void chdb_set_signal_handlers_enabled(bool)')(false)
prctl(DIE_WITH_PARENT, SIGKILL, 0, 0, 0)
const main = dlsym(dlopen(libchdbPath(), NOW_AND_GLOBAL), 'chdb_query_cmdline')
ignoreConnectionErrors(koffi, libchdbPath())
if (interserver !== undefined) patchLibrary(koffi, libchdbPath(), interserver)
const words = [
  'clickhouse',
  '--path',
  directory,
  ...(config ? ['--config-file', config] : []),
  ...(interserver === undefined ? ['--listen_host', '127.0.0.1'] : []),
  `--http_port=${httpPort}`,
  `--tcp_port=${tcpPort}`,
  '--query',
  // The program runs as long as its query. Other servers can connect before it responds to a ping by HTTP.
  `SYSTEM START LISTEN TCP; SYSTEM START LISTEN HTTP;
   SELECT sleepEachRow(3) FROM numbers(100000000) FORMAT Null
   SETTINGS function_sleep_max_microseconds_per_block = 0, max_block_size = 1`,
]
const argv = calloc(words.length + 1, 8)
for (const [i, word] of words.entries()) koffi.encode(argv, i * 8, 'void*', strdup(word))
// ClickHouse checks the free size of its stack, and finds none on a stack created by koffi:
// the C library calls `main(status, argv)` at the end of the process, on the real one.
onExit(main, argv)
process.reallyExit(words.length)
