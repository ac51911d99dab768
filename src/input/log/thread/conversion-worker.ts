// The thread that converts records; `ConversionThread` starts it.
import { parentPort } from 'node:worker_threads'
import { convertRecordsAfter } from '../convert-records.js'
import type { Conversion } from '../log-format.js'
import { continuedConversion } from '../log-framing.js'
import type { ThreadBatch, ThreadRequest, ThreadResponse, ThreadResult } from './messages.js'

const port = parentPort!
const conversions = new Map<number, Conversion>()
/** Time of the last write to the input of the current batch. */
let lastWritten: bigint | undefined

port.on('message', (request: ThreadRequest) => {
  const { kind, id } = request
  if (kind === 'continue') conversions.set(id, continued(request))
  else if (kind === 'end') conversions.delete(id)
  else respond(request)
})
send({ kind: 'ready' })

function continued({
  origin,
  state,
}: Extract<ThreadRequest, { readonly kind: 'continue' }>): Conversion {
  return continuedConversion(origin, { state, lastWritten: () => lastWritten ?? origin.now })
}

function respond(batch: ThreadBatch): void {
  try {
    const converted = convert(batch)
    if (converted === undefined) {
      const { body, output } = batch
      send({ kind: 'unconverted', body, output }, [body, output])
      return
    }
    const { body, output, records } = converted
    send({ kind: 'converted', ...converted }, [body, output, records.buffer as ArrayBuffer])
  } catch (error) {
    send({ kind: 'failed', error })
  }
}

function convert({
  id,
  body,
  length,
  isParallel,
  ...batch
}: ThreadBatch): ThreadResult | undefined {
  lastWritten = batch.lastWritten
  const conversion = conversions.get(id)!
  const converted = convertRecordsAfter(isParallel ? 'unknown' : conversion.state?.last, {
    records: { ...batch, body: Buffer.from(body, 0, length) },
    conversion,
    output: Buffer.from(batch.output),
  })
  return (
    converted && {
      ...converted,
      body,
      output: ownMemory(converted.output),
      records: new Int32Array(converted.records),
      found: conversion.state!.fields,
    }
  )
}

/** Returns the memory of a buffer; a copy if the buffer shares its memory with other buffers. */
function ownMemory(buffer: Buffer): ArrayBuffer {
  const memory = buffer.buffer as ArrayBuffer
  return memory.byteLength === buffer.length ? memory : Uint8Array.from(buffer).buffer
}

function send(response: ThreadResponse, transferred: readonly ArrayBuffer[] = []): void {
  port.postMessage(response, transferred)
}
