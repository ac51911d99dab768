// Makes a server started from libchdb a replica, in the memory of its process only. `clickhouse local`, which the library
// runs, ends when a client resets its connection, as a killed server does: the error handler of its connections calls
// `std::terminate`, where that of `clickhouse server` logs. It has everything else that a replica needs except:
// 1. the address for other replicas, which only the program `clickhouse server` sets: `Context::getInterserverIOAddress` is
//    replaced by code that returns it, and that sets the scheme and the empty credentials next to it;
// 2. a listener for other replicas: every second HTTP listener (there is one for each `listen_host`) gets that handler.
import { buildIdOf, KNOWN_BUILDS } from './library-build.js'

const NOW_AND_GLOBAL = 0x102
const READ_EXECUTE = 5
const READ_WRITE_EXECUTE = 7
const PRIVATE_ANONYMOUS = 0x22
const HANDLER = 'InterserverIOHTTPHandler-factory'

/** Patches the loaded library at `path`; `address` is `<IPv4 address>:<port>`. Throws for an unknown build. */
export function patchLibrary(koffi, path, address) {
  const [host, port] = address.split(':')
  const build = KNOWN_BUILDS[buildIdOf(path)]
  if (build === undefined) throw new Error(`the build of \`${path}\` is unknown`)
  const memory = memoryOf(koffi, path)
  verify(memory, [build.interserverAddress, build.handlerFactory])
  const room = memory.allocate()
  patchAddress(memory, build, { host, port: Number(port), room })
  patchListeners(memory, build, room + 1024n)
}

/** Lets the server survive errors of its connections. Without effect on an unknown build. */
export function ignoreConnectionErrors(koffi, path) {
  const build = KNOWN_BUILDS[buildIdOf(path)]
  if (build === undefined) return
  const memory = memoryOf(koffi, path)
  verify(memory, build.errorHandlers)
  for (const { at } of build.errorHandlers) memory.writeCode(memory.base + BigInt(at), hex('c3')) // ret
}

function verify(memory, places) {
  for (const { at, expects } of places) {
    const found = memory.read(memory.base + BigInt(at), expects.length / 2).toString('hex')
    if (found !== expects) throw new Error(`unexpected code at ${at.toString(16)}: ${found}`)
  }
}

/** Replaces the function that returns the address of this server for other replicas. */
function patchAddress(memory, build, { host, port, room }) {
  // InterserverCredentials: an empty user, an empty password, and a list with the pair of both.
  const credentials = room + 512n
  const pair = room + 640n
  const listOfPair = [u64(pair), u64(pair + 48n), u64(pair + 48n)]
  memory.write(credentials, Buffer.concat([Buffer.alloc(48), ...listOfPair]))
  const name = shortString(host)
  const scheme = shortString('http')
  const code = [
    hex('4c8b06'), // mov r8, [rsi]: the shared part of the context
    moveToRax(scheme.subarray(0, 8)),
    hex('498980'), // mov [r8 + scheme], rax
    u32(build.schemeOffset),
    hex('41c680'), // mov byte [r8 + scheme + 23], 4: its length
    u32(build.schemeOffset + 23),
    hex('04'),
    moveToRax(u64(credentials)),
    hex('498980'), // mov [r8 + credentials], rax
    u32(build.credentialsOffset),
    moveToRax(name.subarray(0, 8)),
    hex('488907'), // mov [rdi], rax
    moveToRax(name.subarray(8, 16)),
    hex('48894708'), // mov [rdi + 8], rax
    moveToRax(name.subarray(16, 24)),
    hex('48894710'), // mov [rdi + 16], rax
    hex('66c74718'), // mov word [rdi + 24], port
    u16(port),
    hex('4889f8c3'), // mov rax, rdi; ret
  ]
  memory.writeCode(memory.base + BigInt(build.interserverAddress.at), Buffer.concat(code))
}

/** Gives every second HTTP listener the handler for other replicas. */
function patchListeners(memory, build, counter) {
  const name = counter + 64n
  const characters = counter + 128n
  memory.write(characters, Buffer.from(`${HANDLER}\0`))
  const longString = [u64(characters), u64(HANDLER.length), u64((1n << 63n) | 40n)]
  memory.write(name, Buffer.concat(longString))
  const entry = memory.base + BigInt(build.handlerFactory.at)
  const prologue = hex(build.handlerFactory.expects)
  const trampoline = counter + 256n
  memory.write(
    trampoline,
    Buffer.concat([
      moveToRax(u64(counter)),
      hex('ff00'), // inc dword [rax]
      hex('f70001000000'), // test dword [rax], 1
      hex('750a'), // jnz over the next instruction
      hex('48b9'), // mov rcx, the name of the handler
      u64(name),
      prologue,
      moveToRax(u64(entry + BigInt(prologue.length))),
      hex('ffe0'), // jmp rax
    ]),
  )
  // jmp [rip], padded to the end of the last replaced instruction
  const jump = Buffer.concat([hex('ff2500000000'), u64(trampoline)])
  memory.writeCode(entry, Buffer.concat([jump, Buffer.alloc(prologue.length - jump.length, 0x90)]))
}

function memoryOf(koffi, path) {
  const libc = koffi.load('libc.so.6')
  const dlopen = libc.func('uintptr_t dlopen(const char*, int)')
  const mprotect = libc.func('int mprotect(uintptr_t, size_t, int)')
  const mmap = libc.func('uintptr_t mmap(uintptr_t, size_t, int, int, int, int64_t)')
  const copyIn = libc.func('uintptr_t memcpy(uintptr_t, const uint8_t*, size_t)')
  const copyOut = libc.func('uintptr_t memmove(_Out_ uint8_t*, uintptr_t, size_t)')
  const read = (address, length) => {
    const bytes = Buffer.alloc(length)
    copyOut(bytes, address, length)
    return bytes
  }
  const write = (address, bytes) => void copyIn(address, bytes, bytes.length)
  return {
    // The first member of glibc's `link_map`.
    base: read(BigInt(dlopen(path, NOW_AND_GLOBAL)), 8).readBigUInt64LE(),
    read,
    write,
    writeCode(address, bytes) {
      const page = address & ~4095n
      const length = Number(address - page) + bytes.length
      if (mprotect(page, length, READ_WRITE_EXECUTE) !== 0) throw new Error('mprotect failed')
      write(address, bytes)
      mprotect(page, length, READ_EXECUTE)
    },
    allocate: () => BigInt(mmap(0n, 4096, READ_WRITE_EXECUTE, PRIVATE_ANONYMOUS, -1, 0)),
  }
}

/** Returns a string of libc++ with at most 22 bytes. */
function shortString(text) {
  const bytes = Buffer.alloc(24)
  bytes.write(text, 'latin1')
  bytes[23] = text.length
  return bytes
}

function moveToRax(value) {
  return Buffer.concat([hex('48b8'), value])
}

function hex(text) {
  return Buffer.from(text, 'hex')
}

function u64(value) {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt.asUintN(64, BigInt(value)))
  return bytes
}

function u32(value) {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function u16(value) {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}
