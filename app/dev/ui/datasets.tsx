import { DatasetTable } from '#components/datasets/dataset-table'
import { ImportResult } from '#components/datasets/import-result'
import { ImportWizard } from '#components/datasets/import-wizard'
import { RejectTable } from '#components/datasets/reject-table'
import { RowTable } from '#components/datasets/row-table'
import { DATASETS, NOW } from './sample-data.ts'
import {
  actSample,
  checkSample,
  editSample,
  fetchSample,
  importFixedSample,
  previewSample,
  saveSample,
  uploadSample,
} from './samples.ts'

const COLUMNS = ['email', 'first_name', 'company', 'city', 'employees', 'notes'].map((key) => ({
  key,
  name: key,
}))
const ROW = {
  email: 'ingrid@nordfrakt.example',
  first_name: 'Ingrid',
  company: 'Nordfrakt AB',
  city: 'Göteborg',
}
const LIST = { total: 2, page: 1, page_size: 20 }

export function Datasets() {
  return (
    <>
      <DatasetTable datasets={DATASETS} query={{}} now={NOW} remove={actSample} {...LIST} total={3} />
      <ImportWizard
        upload={uploadSample}
        fetchLink={fetchSample}
        preview={previewSample}
        count={previewSample}
        check={checkSample}
        importFile={saveSample}
      />
      {DATASETS.map((dataset) => (
        <ImportResult key={dataset.dataset_id} dataset={dataset} />
      ))}
      <RowTable
        path="/dev/ui"
        query={{}}
        dataset={{ dataset_id: 'sample', columns: COLUMNS }}
        rows={2}
        also_in={{ earlier_row: 0, other_dataset: 1, campaign: 1 }}
        acts={{ edit: editSample, remove: actSample }}
        first={{
          ...LIST,
          items: [0, 1].map((lead_index) => ({ lead_index, version: 1, cells: ROW, from: {} })),
        }}
      />
      <RejectTable
        path="/dev/ui"
        query={{}}
        importFixed={importFixedSample}
        rejects={{
          ...LIST,
          items: [
            {
              row_number: 17,
              cell: 'B17',
              column_name: 'E-Mail',
              code: 'invalid_email',
              reason: 'Not an address: there is no @.',
              value: 'ingrid.example.com',
              data: { first_name: 'Ingrid', company: 'Fjordkraft' },
            },
            {
              row_number: 21,
              cell: null,
              column_name: null,
              code: 'missing_email',
              reason: 'No address.',
              value: null,
              data: null,
            },
          ],
        }}
      />
    </>
  )
}
