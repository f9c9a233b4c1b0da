import Link from 'next/link'
import { Pagination } from '#components/ui/pagination'
import { Panel } from '#components/ui/panel'
import type { Query } from '#components/ui/query-href'
import { Table, Td, Th, Tr } from '#components/ui/table'
import type { Campaign } from '#lib/contracts/campaigns'
import type { Explanation } from '#lib/contracts/explanations'
import { type CampaignActs, CampaignMenu } from './campaign-menu.tsx'
import { CampaignNow } from './campaign-now.tsx'
import { CampaignProgress } from './campaign-progress.tsx'
import { CampaignStatus } from './campaign-status.tsx'
import { Rate } from './rate.tsx'

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
}

export function CampaignTable({ campaigns, total, page, page_size, query, now, acts, whys }: Props) {
  return (
    <Panel flush>
      <Table caption="Campaigns">
        <thead>
          <tr>
            <Th>Campaign</Th>
            <Th>Status</Th>
            <Th className="w-1/5">Leads</Th>
            <Th numeric>Sent</Th>
            <Th numeric>Replied</Th>
            <Th numeric>Bounced</Th>
            <Th numeric>Per day</Th>
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
}

type RowProps = { campaign: Campaign; now: string; acts: CampaignActs; why: Explanation | undefined }

function CampaignRow({ campaign, now, acts, why }: RowProps) {
  const { sent_count: sent } = campaign
  return (
    <Tr>
      <Td lead className="max-w-96">
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
      </Td>
      <Td label="Status">
        <CampaignStatus status={campaign.status} />
      </Td>
      <Td label="Leads">
        <div className="max-sm:w-44">
          <p className="mb-1 text-right text-xs text-muted sm:text-left">
            {campaign.processed_leads.toLocaleString('en')} /{' '}
            {(campaign.total_leads ?? 0).toLocaleString('en')}
          </p>
          <CampaignProgress campaign={campaign} />
        </div>
      </Td>
      <Td label="Sent" numeric>
        {sent.toLocaleString('en')}
      </Td>
      <Td label="Replied" numeric>
        <Rate count={campaign.replied_count} of={sent} noun="sent" />
      </Td>
      <Td label="Bounced" numeric>
        <Rate count={campaign.bounced_count} of={sent} noun="sent" />
      </Td>
      <Td label="Per day" numeric>
        {campaign.daily_limit.toLocaleString('en')}
      </Td>
      <Td className="w-px">
        <CampaignMenu campaign={campaign} acts={acts} />
      </Td>
    </Tr>
  )
}
