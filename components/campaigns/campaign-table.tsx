import Link from 'next/link'
import { SortTh } from '#components/lists/sort-th'
import { Checkbox } from '#components/ui/controls/checkbox'
import { Pagination } from '#components/ui/layout/pagination'
import { Panel } from '#components/ui/layout/panel'
import { Table, Td, Th, Tr } from '#components/ui/layout/table'
import type { Query } from '#components/ui/query-href'
import { ZonedTime } from '#components/ui/zoned-time'
import type { Campaign } from '#lib/contracts/campaigns/campaigns'
import type { Explanation } from '#lib/contracts/campaigns/explanations'
import { mayDispatch, statusAfter } from '#lib/domain/campaigns/campaign-status'
import { Rate } from '../analytics/rate.tsx'
import { type CampaignActs, CampaignMenu } from './campaign-menu.tsx'
import { CampaignNow } from './campaign-now.tsx'
import { CampaignProgress } from './campaign-progress.tsx'
import { CampaignSelection, type ChangeCampaigns } from './campaign-selection.tsx'
import { CampaignStatus } from './campaign-status.tsx'

type Props = {
  campaigns: Campaign[]
  total: number
  page: number
  page_size: number
  query: Query
  now: string
  acts: CampaignActs
  /** Why each is not sending, by its id. */
  whys: Record<string, Explanation>
  /** How many leads of each have not begun, by its id. */
  pending?: Record<string, number>
  /** Given where several can be paused and resumed at once. */
  change?: ChangeCampaigns
}

export function CampaignTable({
  campaigns,
  total,
  page,
  page_size,
  query,
  now,
  acts,
  whys,
  pending,
  change,
}: Props) {
  const sorts = { path: '/campaigns', query }
  const table = (
    <Panel flush>
      <Table caption="Campaigns">
        <thead>
          <tr>
            <SortTh {...sorts} column="name">
              Campaign
            </SortTh>
            <Th>Status</Th>
            <Th className="w-1/5">Leads</Th>
            <SortTh {...sorts} column="sent_count" first="down" numeric>
              Sent
            </SortTh>
            <SortTh {...sorts} column="replied_count" first="down" numeric>
              Replied
            </SortTh>
            <SortTh {...sorts} column="bounced_count" first="down" numeric>
              Bounced
            </SortTh>
            <SortTh {...sorts} column="daily_limit" first="down" numeric>
              Per day
            </SortTh>
            <SortTh {...sorts} column="next_slot_at">
              Next send
            </SortTh>
            <Th>
              <span className="sr-only">Actions</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {campaigns.map((campaign) => (
            <CampaignRow
              key={campaign.campaign_id}
              campaign={campaign}
              now={now}
              acts={acts}
              why={whys[campaign.campaign_id]}
              pending={pending?.[campaign.campaign_id]}
              isSelectable={change !== undefined}
            />
          ))}
        </tbody>
      </Table>
      <Pagination
        path="/campaigns"
        query={query}
        page={page}
        page_size={page_size}
        total={total}
        noun="campaigns"
      />
    </Panel>
  )
  if (!change) return table
  return (
    <CampaignSelection
      campaigns={campaigns.map(({ campaign_id, name, status }) => ({
        campaign_id,
        name,
        mayPause: status !== 'paused' && statusAfter('pause', status) !== null,
        mayResume: status === 'paused',
      }))}
      change={change}
    >
      {table}
    </CampaignSelection>
  )
}

type RowProps = {
  campaign: Campaign
  now: string
  acts: CampaignActs
  why: Explanation | undefined
  pending: number | undefined
  isSelectable: boolean
}

function CampaignRow({ campaign, now, acts, why, pending, isSelectable }: RowProps) {
  const { sent_count: sent, replied_count: replied, bounced_count: bounced, total_leads: total } = campaign
  const begun = (total ?? 0) - (pending ?? 0)
  // Its next look is too early where a rule holds it back until later.
  const nextSend = why?.until ?? campaign.next_slot_at
  return (
    <Tr>
      <Td lead className="max-w-96">
        <div className="flex min-w-0 items-start gap-3">
          {isSelectable && (
            <Checkbox
              label={`Select ${campaign.name}`}
              hideLabel
              data-select
              value={campaign.campaign_id}
              autoComplete="off"
            />
          )}
          <div className="min-w-0">
            <Link
              href={`/campaigns/${campaign.campaign_id}`}
              data-row-link
              className="inline-block min-h-6 max-w-full truncate rounded-xs align-middle font-medium hover:underline"
            >
              {campaign.name}
            </Link>
            <p className="text-xs font-normal text-pretty text-muted">
              <CampaignNow campaign={campaign} now={now} why={why} />
            </p>
          </div>
        </div>
      </Td>
      <Td label="Status">
        <CampaignStatus status={campaign.status} />
      </Td>
      <Td label="Leads">
        {total ? (
          <div className="max-sm:w-44">
            <p className="mb-1 text-right text-xs text-muted sm:text-left">
              {campaign.processed_leads.toLocaleString('en')} / {total.toLocaleString('en')}
            </p>
            <CampaignProgress campaign={campaign} pending={pending} />
          </div>
        ) : (
          '–'
        )}
      </Td>
      <Td label="Sent" numeric>
        {sent.toLocaleString('en')}
      </Td>
      <Td label="Replied" numeric>
        {begun === 0 || sent === 0 ? '–' : <Rate count={replied} of={begun} noun="leads begun" />}
      </Td>
      <Td label="Bounced" numeric>
        {begun === 0 || sent === 0 ? '–' : <Rate count={bounced} of={begun} noun="leads begun" />}
      </Td>
      <Td label="Per day" numeric>
        {campaign.daily_limit.toLocaleString('en')}
      </Td>
      <Td label="Next send" className="whitespace-nowrap">
        {mayDispatch(campaign.status) && nextSend ? (
          <ZonedTime at={nextSend} zone={campaign.timezone} />
        ) : (
          '–'
        )}
      </Td>
      <Td className="w-px">
        <CampaignMenu campaign={campaign} acts={acts} />
      </Td>
    </Tr>
  )
}
