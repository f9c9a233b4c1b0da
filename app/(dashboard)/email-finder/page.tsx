import { Upload } from 'lucide-react'
import type { Metadata } from 'next'
import { EmailStatuses } from '#components/datasets/email-status'
import { FindForm, VerifyForm } from '#components/datasets/finder-forms'
import { ChangingLink } from '#components/ui/controls/changing-link'
import { Link } from '#components/ui/controls/link'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { Panel } from '#components/ui/layout/panel'
import { type Dataset, ListDatasets } from '#lib/contracts/datasets/datasets'
import { requireUser } from '#lib/http/session'
import { listDatasets } from '#lib/services/datasets/datasets'
import { find, verify } from './actions.ts'

export const metadata: Metadata = { title: 'Email finder' }

const SHOWN = 5

export default async function EmailFinderPage() {
  const user = await requireUser()
  const newest = ListDatasets.query.parse({ page_size: SHOWN })
  const { datasets } = ListDatasets.response.parse(await listDatasets(user.workspace_id, newest))
  return (
    <>
      <PageHeader title="Email finder" description="Find and verify single addresses. No email is sent." />
      <PageBody>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-2">
          <FindForm find={find} />
          <VerifyForm verify={verify} />
          <WholeLists datasets={datasets} />
          <EmailStatuses />
        </div>
      </PageBody>
    </>
  )
}

function WholeLists({ datasets }: { datasets: Dataset[] }) {
  return (
    <Panel
      title="Whole lists"
      description="Open a dataset, then choose “Find addresses” or “Verification”."
      action={
        <ChangingLink size="sm" href="/datasets/import">
          <Upload aria-hidden /> Import a list
        </ChangingLink>
      }
      flush={datasets.length > 0}
    >
      {datasets.length === 0 ? (
        <p className="text-sm text-muted">No datasets yet.</p>
      ) : (
        <ul className="divide-y divide-border text-sm">
          {datasets.map(({ dataset_id, dataset_name, row_count }) => (
            <li key={dataset_id} className="flex min-h-11 items-center justify-between gap-4 px-4">
              <Link
                href={`/datasets/${dataset_id}`}
                className="inline-flex min-h-6 min-w-0 items-center rounded-xs font-medium hover:underline"
              >
                <span className="truncate">{dataset_name}</span>
              </Link>
              <span className="shrink-0 text-muted">
                {row_count.toLocaleString('en')} {row_count === 1 ? 'lead' : 'leads'}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
