import { WandSparkles } from 'lucide-react'
import type { Metadata } from 'next'
import { isRunUnderway } from '#components/personalize/run-status'
import { RunTable } from '#components/personalize/run-table'
import { ChangingLink } from '#components/ui/controls/changing-link'
import { EmptyState } from '#components/ui/feedback/empty-state'
import { LiveRefresh } from '#components/ui/feedback/live-refresh'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { Panel } from '#components/ui/layout/panel'
import { ListPersonalizationRuns } from '#lib/contracts/personalize/personalize'
import { requireUser } from '#lib/http/session'
import { listRuns } from '#lib/services/personalize/runs'
import { parseQuery } from '../../page-input.ts'

export const metadata: Metadata = { title: 'Personalize' }

export default async function PersonalizePage({ searchParams }: PageProps<'/personalize'>) {
  const user = await requireUser()
  const query = parseQuery(ListPersonalizationRuns.query, await searchParams)
  const list = ListPersonalizationRuns.response.parse(await listRuns(user.workspace_id, query))
  const open = (
    <ChangingLink variant="primary" href="/personalize/playground">
      Write texts
    </ChangingLink>
  )
  return (
    <>
      <PageHeader
        title="Personalize"
        description="One text for each lead, based on its data. Nothing is sent until you approve it."
        actions={list.total > 0 && open}
      />
      <PageBody>
        {list.total > 0 ? (
          <RunTable {...list} query={query} now={new Date().toISOString()} />
        ) : (
          <Panel>
            <EmptyState
              icon={<WandSparkles />}
              title="Nothing written yet"
              description="Try a prompt on three leads side by side, then write for all of them."
              action={open}
            />
          </Panel>
        )}
        <LiveRefresh every_seconds={2} active={list.items.some(isRunUnderway)} watch="runs" />
      </PageBody>
    </>
  )
}
