import { Link } from '#components/ui/controls/link'
import { Table, Td, Th, Tr } from '#components/ui/layout/table'
import { ZonedTime } from '#components/ui/zoned-time'
import type { CampaignResult } from '#lib/contracts/campaigns/results'
import { CampaignStatus } from './campaign-status.tsx'

const figure = (count: number) => count.toLocaleString('en')

/** One line for each campaign, leading to its results. */
export function ResultTable({ results, zone }: { results: CampaignResult[]; zone: string }) {
  return (
    <Table caption="Campaigns">
      <thead>
        <tr>
          <Th>Campaign</Th>
          <Th>Status</Th>
          <Th numeric>Leads</Th>
          <Th numeric>Sent</Th>
          <Th numeric>Replied</Th>
          <Th numeric>Bounced</Th>
          <Th>Launched</Th>
        </tr>
      </thead>
      <tbody>
        {results.map((result) => (
          <Tr key={result.campaign_id}>
            <Td lead>
              <Link
                href={`/results/${result.campaign_id}`}
                className="font-medium wrap-anywhere hover:underline"
              >
                {result.name}
              </Link>
            </Td>
            <Td label="Status">
              <CampaignStatus status={result.status} />
            </Td>
            <Td label="Leads" numeric>
              {figure(result.total_leads ?? 0)}
            </Td>
            <Td label="Sent" numeric>
              {figure(result.sent_count)}
            </Td>
            <Td label="Replied" numeric>
              {figure(result.replied_count)}
            </Td>
            <Td label="Bounced" numeric>
              {figure(result.bounced_count)}
            </Td>
            <Td label="Launched">
              {result.launched_at ? <ZonedTime at={result.launched_at} zone={zone} /> : '–'}
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  )
}
