import type { Metadata } from 'next'
import { FindForm, VerifyForm } from '#components/datasets/finder-forms'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { requireUser } from '#lib/http/session'
import { find, verify } from './actions.ts'

export const metadata: Metadata = { title: 'Email finder' }

export default async function EmailFinderPage() {
  await requireUser()
  return (
    <>
      <PageHeader
        title="Email finder"
        description="One address at a time. For a whole list, open a dataset and choose “Find addresses”."
      />
      <PageBody wide={false}>
        <FindForm find={find} />
        <VerifyForm verify={verify} />
      </PageBody>
    </>
  )
}
