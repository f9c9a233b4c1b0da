import { FlaskConical } from 'lucide-react'
import type { Metadata } from 'next'
import { MailList } from '#components/sandbox/mail-list'
import { LinkButton } from '#components/ui/controls/link-button'
import { SearchInput } from '#components/ui/controls/search-input'
import { EmptyState } from '#components/ui/feedback/empty-state'
import { PageBody } from '#components/ui/layout/page-header'
import { Pagination } from '#components/ui/layout/pagination'
import { Panel } from '#components/ui/layout/panel'
import { queryHref } from '#components/ui/query-href'
import { ListCampaigns } from '#lib/contracts/campaigns/campaigns'
import { ListSandboxMessages } from '#lib/contracts/sandbox/sandbox'
import { requireUser, type SignedIn } from '#lib/http/session'
import { listCampaigns } from '#lib/services/campaigns/campaigns'
import { listSandboxMessages } from '#lib/services/senders/sandbox'
import { orNotFound, parseQuery } from '../../../page-input.ts'
import { SandboxHeader } from '../header.tsx'

export const metadata: Metadata = { title: 'Sandbox mail' }

export default async function SandboxMailPage({ searchParams }: PageProps<'/sandbox/mail'>) {
  const user = await requireUser()
  const query = parseQuery(ListSandboxMessages.query, await searchParams)
  const { items, total, page, page_size } = ListSandboxMessages.response.parse(
    await orNotFound(listSandboxMessages(user.workspace_id, query)),
  )
  return (
    <>
      <SandboxHeader
        current="mail"
        title="Sandbox mail"
        description="Emails your campaigns sent, as recipients would see them. On this instance they reach nobody."
      />
      <PageBody>
        <SearchInput
          path="/sandbox/mail"
          query={query}
          label="Search by recipient or subject"
          className="max-w-md"
        />
        <Panel flush>
          {total === 0 ? (
            <NoMail user={user} isSearch={Boolean(query.search)} />
          ) : (
            <>
              <MailList
                mails={items}
                chosen={null}
                now={new Date().toISOString()}
                toHref={(id) => queryHref(`/sandbox/mail/${id}`, query, { page })}
              />
              <Pagination
                path="/sandbox/mail"
                query={query}
                page={page}
                page_size={page_size}
                total={total}
                noun="mails"
              />
            </>
          )}
        </Panel>
      </PageBody>
    </>
  )
}

/** After a launch the empty state says when the campaign sends, not that it has to be launched. */
async function NoMail({ user, isSearch }: { user: SignedIn; isSearch: boolean }) {
  if (isSearch)
    return (
      <EmptyState
        icon={<FlaskConical />}
        title="No mail matches"
        description="Search covers subjects, recipients and senders."
      />
    )
  const running = ListCampaigns.query.parse({ status_filter: 'active', page_size: 1 })
  const [campaign] = ListCampaigns.response.parse(await listCampaigns(user, running)).campaigns
  return (
    <EmptyState
      icon={<FlaskConical />}
      title="No mail yet"
      action={
        <LinkButton href={campaign ? `/campaigns/${campaign.campaign_id}` : '/campaigns'}>
          {campaign ? 'See when it sends' : 'See your campaigns'}
        </LinkButton>
      }
      description={
        campaign
          ? `“${campaign.name}” is running and has sent nothing yet. Its emails will appear here.`
          : 'Launch a campaign to see its emails here.'
      }
    />
  )
}
