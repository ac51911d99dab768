import { listOf, ref } from '../../wire/shape/json-schema.js'
import { noContent, ok } from '../openapi/operation.js'
import { type Route, route } from '../route.js'
import {
  removeBatches,
  removeDataset,
  removeRetention,
  renameDataset,
  setRetention,
  trimDataset,
} from './change.js'
import { createDataset, updateDataset } from './create.js'
import { acceptLoss, listDamage } from './damage.js'
import {
  allFields,
  datasetFields,
  datasetInfo,
  datasetStats,
  getDataset,
  listDatasets,
} from './describe.js'

export const DATASET_ROUTES: readonly Route[] = [
  ...ofVersion('v1', ''),
  ...ofVersion('v2', 'V2'),
  route('GET /v1/datasets/_fields', 'query', allFields, {
    id: 'allFields',
    summary: 'Lists the fields of the datasets that the token may query.',
    response: ok('The datasets, by name.', listOf(ref('DatasetFields'))),
  }),
  route('GET /v2/datasets/:dataset/fields', 'query', datasetFields, {
    id: 'datasetFields',
    summary: 'Lists the fields of a dataset.',
    response: ok('The fields, by name.', listOf(ref('FieldMeta'))),
  }),
  route('GET /v1/datasets/_stats', 'query', datasetStats, {
    id: 'datasetStats',
    summary: 'Returns statistics of the datasets that the token may query.',
    response: ok('The datasets, by name.', listOf(ref('DatasetStats'))),
  }),
  route('GET /v1/datasets/_damage', 'query', listDamage, {
    id: 'listDamage',
    summary: 'Lists the stored data that is lost or unreadable because its files are damaged.',
    response: ok(
      'The damaged datasets; an empty list when nothing is damaged.',
      listOf(ref('Damage')),
    ),
  }),
  route('POST /v1/datasets/_damage/accept', 'everything', acceptLoss, {
    id: 'acceptLoss',
    summary:
      'Accepts the loss of damaged data of a dataset, or of damaged metadata, so that results count as complete again.',
    body: { 'application/json': ref('LossAcceptance') },
    response: ok('The damaged parts.', ref('AcceptedLoss')),
  }),
  route('GET /v1/datasets/:dataset/info', 'query', datasetInfo, {
    id: 'datasetInfo',
    summary: 'Returns statistics and fields of a dataset.',
    response: ok('The dataset.', ref('DatasetInfo')),
  }),
  route('POST /v1/datasets/:dataset/rename', 'everything', renameDataset, {
    id: 'renameDataset',
    summary: 'Renames a dataset. Tokens that name it keep their permissions.',
    body: { 'application/json': ref('Rename') },
    response: ok('The number of tokens that named the dataset.', ref('Renamed')),
  }),
  route('PUT /v1/datasets/:dataset/retention', 'everything', setRetention, {
    id: 'setRetention',
    summary:
      "Sets the maximum age of a dataset's events. Older events are deleted within an hour, or 1/24 of the age later.",
    body: { 'application/json': ref('Retention') },
    response: ok('The setting.', ref('Retention')),
  }),
  route('DELETE /v1/datasets/:dataset/retention', 'everything', removeRetention, {
    id: 'removeRetention',
    summary: 'Removes the setting, so that the setting of the service applies.',
    response: noContent('Removed.'),
  }),
  route('POST /v1/datasets/:dataset/_batches/remove', 'everything', removeBatches, {
    id: 'removeBatches',
    summary: 'Deletes the events of batches, which are refused with 410 from then on.',
    body: { 'application/json': ref('BatchRemoval') },
    response: ok('The number of events that the batches had.', ref('BatchesRemoved')),
  }),
]

/** Returns the endpoints that both versions of the interface have. */
function ofVersion(version: string, suffix: string): readonly Route[] {
  return [
    route(`GET /${version}/datasets`, 'query', listDatasets, {
      id: `listDatasets${suffix}`,
      summary: 'Lists the datasets that the token may query.',
      response: ok('The datasets, by name.', listOf(ref('Dataset'))),
    }),
    route(`POST /${version}/datasets`, 'everything', createDataset, {
      id: `createDataset${suffix}`,
      summary: 'Creates a dataset without events.',
      body: { 'application/json': ref('NewDataset') },
      response: ok('The dataset.', ref('Dataset')),
    }),
    route(`GET /${version}/datasets/:dataset`, 'query', getDataset, {
      id: `getDataset${suffix}`,
      summary: 'Returns a dataset.',
      response: ok('The dataset.', ref('Dataset')),
    }),
    route(`PUT /${version}/datasets/:dataset`, 'everything', updateDataset, {
      id: `updateDataset${suffix}`,
      summary:
        'Changes the description of a dataset and the maximum age of its events. Absent members keep their values.',
      body: { 'application/json': ref('DatasetSettings') },
      response: ok('The dataset.', ref('Dataset')),
    }),
    route(`DELETE /${version}/datasets/:dataset`, 'everything', removeDataset, {
      id: `deleteDataset${suffix}`,
      summary: 'Deletes a dataset with all its events.',
      response: noContent('Deleted.'),
    }),
    route(`POST /${version}/datasets/:dataset/trim`, 'everything', trimDataset, {
      id: `trimDataset${suffix}`,
      summary: 'Deletes old events of a dataset.',
      body: { 'application/json': ref('Trim') },
      response: ok('The number of deleted events.', ref('Trimmed')),
    }),
  ]
}
