import { StoreError } from '../../../engine/store-error.js'
import { CARRIAGE_RETURN, LINE_FEED } from '../../../text/bytes.js'
import { invalidRequest } from '../../refused-error.js'
import { eventOptions } from '../ingest-options.js'
import { checkDataset, type DecodingSteps, type IngestProtocol } from '../protocol.js'
import { BulkDocuments, datasetOfIndex } from './bulk-documents.js'
import { elasticError, elasticJson } from './error.js'

/** Elasticsearch's `POST /<index>/_doc`: a body with one event. The path names the dataset; otherwise the index is the dataset. */
export const elasticDocument: IngestProtocol = {
  name: 'elastic',
  encodeError: elasticError,
  decode({ request, parameters }) {
    const { index = '', id, dataset = datasetOfIndex(index) } = parameters
    checkDataset(dataset)
    const terms = eventOptions(request, '@timestamp')
    const documents = new BulkDocuments({
      datasetOf: () => dataset,
      batchFor: () => ({ dataset, ...terms }),
    })
    return {
      async *decodeBody(body): AsyncGenerator<DecodingSteps, void> {
        documents.push(Buffer.from(`${JSON.stringify({ index: { _id: id } })}\n`))
        for await (const bytes of body) yield documents.push(withoutLineFeeds(bytes))
        if (documents.expectsDocument) {
          throw invalidRequest('The request body is empty: an event expected.')
        }
        yield documents.end()
      },
      encode([result]) {
        if (result instanceof StoreError) throw result
        const [rejected] = result?.rejected ?? []
        if (rejected !== undefined) throw invalidRequest(rejected.reason)
        return elasticJson(201, {
          _index: index,
          _id: id,
          _version: 1,
          result: 'created',
          _shards: { total: 1, successful: 1, failed: 0 },
        })
      },
    }
  },
}

/** Turns JSON into one line: carriage returns replace line feeds. Outside strings both are white space, inside both are invalid. */
function withoutLineFeeds(bytes: Buffer): Buffer {
  const line = Buffer.from(bytes)
  for (let at = line.indexOf(LINE_FEED); at !== -1; at = line.indexOf(LINE_FEED, at + 1)) {
    line[at] = CARRIAGE_RETURN
  }
  return line
}
