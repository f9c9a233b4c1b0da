import { Globe } from 'lucide-react'
import type { Metadata } from 'next'
import { AddDomain } from '#components/domains/add-domain'
import { DomainTable } from '#components/domains/domain-table'
import { Snds } from '#components/domains/snds'
import { ActionButton } from '#components/ui/controls/action-button'
import { Callout } from '#components/ui/feedback/callout'
import { EmptyState } from '#components/ui/feedback/empty-state'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { Pagination } from '#components/ui/layout/pagination'
import { Panel } from '#components/ui/layout/panel'
import { ListDomains } from '#lib/contracts/domains/domains'
import { ERRORS } from '#lib/errors'
import { requireUser } from '#lib/http/session'
import { listDomains } from '#lib/services/domains/domains'
import { sndsSummary } from '#lib/services/domains/snds/summary'
import { hasSandbox } from '#lib/services/senders/sandbox'
import { getAccountSettings } from '#lib/services/workspaces/account-settings'
import { parseQuery } from '../../page-input.ts'
import { addDomain, connectSandboxSnds, connectSnds, demandVerified, disconnectSnds } from './actions.ts'

export const metadata: Metadata = { title: 'Domains' }

export default async function DomainsPage({ searchParams }: PageProps<'/domains'>) {
  const user = await requireUser()
  const { postmaster, ...asked } = await searchParams
  const query = parseQuery(ListDomains.query, asked)
  const now = new Date()
  const [answer, settings, snds] = await Promise.all([
    listDomains(user.workspace_id, query),
    getAccountSettings(user, now),
    sndsSummary(user.workspace_id, now),
  ])
  const { items, ...list } = ListDomains.response.parse(answer)
  const demanded = settings.require_verified_domain
  return (
    <>
      <PageHeader
        title="Domains"
        description="The domains you send from. Their DNS records decide whether your emails arrive."
      />
      <PageBody>
        {typeof postmaster === 'string' && <NotConnected code={postmaster} />}
        {list.total === 0 ? (
          <Panel>
            <EmptyState
              icon={<Globe />}
              title="No domains yet"
              action={<AddDomain add={addDomain} />}
              description="Add the domain of your mailboxes. Opener shows the records to publish and signs your emails once it finds them. Gmail, Outlook and similar addresses need none."
            />
          </Panel>
        ) : (
          <DomainTable domains={items} query={query} now={now.toISOString()} />
        )}
        {list.total > list.page_size && <Pagination path="/domains" query={query} {...list} noun="domains" />}
        <Snds
          summary={snds}
          now={now.toISOString()}
          connect={connectSnds}
          tryOut={hasSandbox() ? connectSandboxSnds : null}
          disconnect={disconnectSnds}
        />
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-2">
          {list.total > 0 && (
            <Panel title="Add a domain">
              <AddDomain add={addDomain} />
            </Panel>
          )}
          <Panel
            title="Launch only from verified domains"
            action={
              <ActionButton size="sm" act={demandVerified.bind(null, !demanded)}>
                {demanded ? 'Turn off' : 'Turn on'}
              </ActionButton>
            }
          >
            <p className="text-sm text-muted">
              {demanded
                ? 'On: campaigns launch only if all their mailboxes are on verified domains.'
                : 'Off: campaigns from an unverified domain launch with a warning.'}
            </p>
          </Panel>
        </div>
      </PageBody>
    </>
  )
}

function NotConnected({ code }: { code: string }) {
  const known = Object.entries(ERRORS).find(([name]) => name === code)
  return (
    <Callout tone="danger" role="alert" title="Postmaster Tools were not connected">
      {known ? known[1].message : 'Try again from the domain page.'}
    </Callout>
  )
}
