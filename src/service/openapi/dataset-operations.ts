import { listOf, ref } from '../../wire/shape/json-schema.js'
import { noContent, type Operations, ok } from './operation.js'

export const DATASET_OPERATIONS: Operations = {
  ...operations('v1', ''),
  ...operations('v2', 'V2'),
  'get /v1/datasets/_fields': {
    id: 'allFields',
    summary: 'Lists the fields of the datasets that the token may query.',
    response: ok('The datasets, by name.', listOf(ref('DatasetFields'))),
  },
  'get /v2/datasets/{dataset}/fields': {
    id: 'datasetFields',
    summary: 'Lists the fields of a dataset.',
    response: ok('The fields, by name.', listOf(ref('FieldMeta'))),
  },
  'get /v1/datasets/_stats': {
    id: 'datasetStats',
    summary: 'Returns statistics of the datasets that the token may query.',
    response: ok('The datasets, by name.', listOf(ref('DatasetStats'))),
  },
  'get /v1/datasets/_damage': {
    id: 'listDamage',
    summary: 'Lists the stored data that is lost or unreadable because its files are damaged.',
    response: ok(
      'The damaged datasets; an empty list when nothing is damaged.',
      listOf(ref('Damage')),
    ),
  },
  'post /v1/datasets/_damage/accept': {
    id: 'acceptLoss',
    summary:
      'Accepts the loss of damaged data of a dataset, or of damaged metadata, so that results count as complete again. Requires a personal token.',
    body: { 'application/json': ref('LossAcceptance') },
    response: ok('The damaged parts.', ref('AcceptedLoss')),
  },
  'get /v1/datasets/{dataset}/info': {
    id: 'datasetInfo',
    summary: 'Returns statistics and fields of a dataset.',
    response: ok('The dataset.', ref('DatasetInfo')),
  },
  'post /v1/datasets/{dataset}/rename': {
    id: 'renameDataset',
    summary:
      'Renames a dataset. Tokens that name it keep their permissions. Requires a personal token.',
    body: { 'application/json': ref('Rename') },
    response: ok('The number of tokens that named the dataset.', ref('Renamed')),
  },
  'put /v1/datasets/{dataset}/retention': {
    id: 'setRetention',
    summary:
      "Sets the maximum age of a dataset's events. Older events are deleted within an hour, or 1/24 of the age later. Requires a personal token.",
    body: { 'application/json': ref('Retention') },
    response: ok('The setting.', ref('Retention')),
  },
  'delete /v1/datasets/{dataset}/retention': {
    id: 'removeRetention',
    summary:
      'Removes the setting, so that the setting of the service applies. Requires a personal token.',
    response: noContent('Removed.'),
  },
  'post /v1/datasets/{dataset}/_batches/remove': {
    id: 'removeBatches',
    summary:
      'Deletes the events of batches, which are refused with 410 from then on. Requires a personal token.',
    body: { 'application/json': ref('BatchRemoval') },
    response: ok('The number of events that the batches had.', ref('BatchesRemoved')),
  },
}

/** The operations that both versions of the interface have. */
function operations(version: string, suffix: string): Operations {
  return {
    [`get /${version}/datasets`]: {
      id: `listDatasets${suffix}`,
      summary: 'Lists the datasets that the token may query.',
      response: ok('The datasets, by name.', listOf(ref('Dataset'))),
    },
    [`post /${version}/datasets`]: {
      id: `createDataset${suffix}`,
      summary: 'Creates a dataset without events. Requires a personal token.',
      body: { 'application/json': ref('NewDataset') },
      response: ok('The dataset.', ref('Dataset')),
    },
    [`get /${version}/datasets/{dataset}`]: {
      id: `getDataset${suffix}`,
      summary: 'Returns a dataset.',
      response: ok('The dataset.', ref('Dataset')),
    },
    [`put /${version}/datasets/{dataset}`]: {
      id: `updateDataset${suffix}`,
      summary:
        'Changes the description of a dataset and the maximum age of its events. Absent members keep their values. Requires a personal token.',
      body: { 'application/json': ref('DatasetSettings') },
      response: ok('The dataset.', ref('Dataset')),
    },
    [`delete /${version}/datasets/{dataset}`]: {
      id: `deleteDataset${suffix}`,
      summary: 'Deletes a dataset with all its events. Requires a personal token.',
      response: noContent('Deleted.'),
    },
    [`post /${version}/datasets/{dataset}/trim`]: {
      id: `trimDataset${suffix}`,
      summary: 'Deletes old events of a dataset. Requires a personal token.',
      body: { 'application/json': ref('Trim') },
      response: ok('The number of deleted events.', ref('Trimmed')),
    },
  }
}
