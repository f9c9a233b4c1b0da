import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { Shell } from '#components/shell/shell'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { Tabs } from '#components/ui/layout/tabs'
import { devPagesAreOpen } from '#lib/services/instance/network-exposure'
import { assistantToken } from '../../(dashboard)/assistant-token.ts'
import { Campaigns } from './campaigns.tsx'
import { Controls } from './controls.tsx'
import { Data } from './data.tsx'
import { Datasets } from './datasets.tsx'
import { Feedback } from './feedback.tsx'
import { Overlays } from './overlays.tsx'
import { Sending } from './sending.tsx'
import { Sequence } from './sequence.tsx'

export const metadata: Metadata = { title: 'Components' }

const PARTS = [
  'controls',
  'data',
  'feedback',
  'overlays',
  'campaigns',
  'sequence',
  'datasets',
  'sending',
] as const

/** Every component in every state; available in development, and where ALLOW_DEV_PAGES is set. */
export default async function ComponentsPage({ searchParams }: PageProps<'/dev/ui'>) {
  if (!devPagesAreOpen()) notFound()
  const { part = 'controls' } = await searchParams
  return (
    <Shell
      user={{ name: 'Ada Lovelace', email: 'ada@example.com' }}
      workspaceId="w"
      workspaces={[{ workspace_id: 'w', name: 'Analytical Engines', slug: 'engines', isCurrent: true }]}
      closed={[]}
      waiting={{ '/inbox': 3 }}
      bell={{ unread: 2, load: none, markAll: act }}
      signOut={signOut}
      search={search}
      commands={{ openRecord: search, pause: act, resume: act, duplicate: act }}
      assistantToken={assistantToken}
    >
      <PageHeader
        title="Components"
        description="Every component in every state, for whoever builds or changes a screen."
        below={
          <Tabs
            label="Parts"
            tabs={PARTS.map((name) => ({
              href: `/dev/ui?part=${name}`,
              label: name,
              current: name === part,
            }))}
          />
        }
      />
      <PageBody>
        {part === 'controls' && <Controls />}
        {part === 'data' && <Data />}
        {part === 'feedback' && <Feedback />}
        {part === 'overlays' && <Overlays />}
        {part === 'campaigns' && <Campaigns />}
        {part === 'sequence' && <Sequence />}
        {part === 'datasets' && <Datasets />}
        {part === 'sending' && <Sending />}
      </PageBody>
    </Shell>
  )
}

async function signOut() {
  'use server'
}

async function act() {
  'use server'
  return { ok: true as const }
}

async function none() {
  'use server'
  return { items: [], now: new Date().toISOString() }
}

async function search() {
  'use server'
  return null
}
