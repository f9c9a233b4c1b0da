import type { Metadata } from 'next'
import { ImportWizard } from '#components/datasets/import-wizard'
import { Breadcrumbs } from '#components/ui/layout/breadcrumbs'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { RenameDataset } from '#lib/contracts/datasets/datasets'
import { requireUser } from '#lib/http/session'
import { ViewOnly } from '../../view-only.tsx'
import { checkFile, countFile, fetchLink, importFile, previewFile, startUpload } from '../actions.ts'

export const metadata: Metadata = { title: 'Import a spreadsheet' }

export default async function ImportPage() {
  await requireUser()
  return (
    <>
      <PageHeader
        above={<Breadcrumbs items={[{ href: '/datasets', label: 'Datasets' }]} />}
        title="Import a spreadsheet"
        description="One person per row. You see what happens to every row before anything is saved."
      />
      <PageBody>
        <ViewOnly changes={RenameDataset}>
          <ImportWizard
            upload={startUpload}
            fetchLink={fetchLink}
            preview={previewFile}
            count={countFile}
            check={checkFile}
            importFile={importFile}
          />
        </ViewOnly>
      </PageBody>
    </>
  )
}
