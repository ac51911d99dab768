import { StoreError } from '../../../engine/store-error.js'
import { CARRIAGE_RETURN, isBlank, LINE_FEED } from '../../../text/bytes.js'
import { ByteWriter } from '../../../wire/bytes/byte-writer.js'
import { runInTurns } from '../../../wire/steps/steps.js'
import { wholeBody } from '../../body/json-body.js'
import { invalidRequest } from '../../refused-error.js'
import type { Call, Service } from '../../route.js'
import { eventOptions } from '../ingest-options.js'
import {
  type BatchResult,
  checkDataset,
  type DecodedBatch,
  type DecodingSteps,
  type IngestProtocol,
} from '../protocol.js'
import { targetDataset } from '../target-dataset.js'
import { BulkDocuments, datasetOfIndex, writeDocument } from './bulk-documents.js'
import { newId } from './bulk-items.js'
import { elasticError, elasticJson, elasticText } from './error.js'
import { compileFilterPath } from './filter-path.js'

/**
 * Elasticsearch's `_bulk`: pairs of lines, an action and a document. The response has an item with a status for each action.
 * When the path names a dataset, all documents are for that dataset; otherwise the index of the action or of the path names it.
 */
export const elasticBulk: IngestProtocol = {
  name: 'elastic',
  encodeError: elasticError,
  decode(call, service) {
    const started = performance.now()
    const terms = eventOptions(call.request, '@timestamp')
    const documents = new BulkDocuments({
      datasetOf: datasetsOf(call, service),
      batchFor: (dataset): DecodedBatch => ({ dataset, ...terms, listsAllRejected: true }),
    })
    const keeps = compileFilterPath(call.request.query.get('filter_path') ?? '')
    return {
      async *decodeBody(body): AsyncGenerator<DecodingSteps, void> {
        yield documents.decode(await wholeBody(body))
      },
      rejectedOutsideBatches: () => documents.items.rejected,
      async encode(results) {
        rejectFailed(results)
        const byBatch = new Map([...documents.batches].map((batch, i) => [batch, results[i]!]))
        const tookMs = Math.round(performance.now() - started)
        const items = documents.items.encode(byBatch, { tookMs, keeps })
        return elasticText(200, await runInTurns(items))
      },
    }
  },
}

function datasetsOf(
  call: Call,
  service: Pick<Service, 'defaultDataset'>,
): (index: string | undefined) => string {
  const { dataset, index: common } = call.parameters
  if (dataset !== undefined) {
    checkDataset(dataset)
    return () => dataset
  }
  return (index = common) =>
    index === undefined ? targetDataset(call, service) : datasetOfIndex(index)
}

/** Throws the first error when no batch was stored: the status of the response decides whether clients send the request again. */
function rejectFailed(results: readonly BatchResult[]): void {
  const [first] = results
  if (first instanceof StoreError && results.every((one) => one instanceof StoreError)) throw first
}

/**
 * Elasticsearch's `POST /<index>/_doc`, and `_doc/<id>` and `_create/<id>` with `PUT` or `POST`: a body with one event. The path names
 * the dataset; otherwise the index is the dataset.
 */
export const elasticDocument: IngestProtocol = {
  name: 'elastic',
  encodeError: elasticError,
  decode({ request, parameters }) {
    const { index = '', id, dataset = datasetOfIndex(index) } = parameters
    checkDataset(dataset)
    const batch: DecodedBatch = { dataset, ...eventOptions(request, '@timestamp') }
    return {
      async *decodeBody(body): AsyncGenerator<DecodingSteps, void> {
        const bytes = withoutLineFeeds(await wholeBody(body))
        if (isBlank(bytes, 0, bytes.length)) {
          throw invalidRequest('The request body is empty: an event expected.')
        }
        const writer = new ByteWriter(bytes.length)
        writeDocument({ bytes, from: 0, to: bytes.length }, { id, writer })
        yield [{ batch, lines: writer.written, bodyBytes: bytes.length }]
      },
      encode([result]) {
        if (result instanceof StoreError) throw result
        const [rejected] = result?.rejected ?? []
        if (rejected !== undefined) throw invalidRequest(rejected.reason)
        return elasticJson(201, {
          _index: index,
          _id: id ?? newId(),
          _type: '_doc',
          _version: 1,
          _seq_no: 0,
          _primary_term: 1,
          result: 'created',
          _shards: { total: 1, successful: 1, failed: 0 },
        })
      },
    }
  },
}

/** Turns JSON into one line: carriage returns replace line feeds. Outside strings both are white space, inside both are invalid. */
function withoutLineFeeds(line: Buffer): Buffer {
  for (let at = line.indexOf(LINE_FEED); at !== -1; at = line.indexOf(LINE_FEED, at + 1)) {
    line[at] = CARRIAGE_RETURN
  }
  return line
}
