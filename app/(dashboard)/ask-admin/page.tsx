import { Lock } from 'lucide-react'
import type { Metadata } from 'next'
import { EmptyState } from '#components/ui/feedback/empty-state'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { Panel } from '#components/ui/layout/panel'
import { ReadAccount } from '#lib/contracts/workspaces/account'
import { requireUser } from '#lib/http/session'

export const metadata: Metadata = { title: 'Ask an admin' }

/** Shown instead of a page that the user's role may not see. */
export default async function AskAdminPage() {
  const { workspace_name, role } = await requireUser(ReadAccount)
  return (
    <>
      <PageHeader title="Ask an admin" />
      <PageBody>
        <Panel>
          <EmptyState
            icon={<Lock />}
            title="Your role does not include this page"
            description={`Your role in ${workspace_name} is ${role}. An admin can change it under Settings, Members.`}
          />
        </Panel>
      </PageBody>
    </>
  )
}
