import { Panel } from '#components/ui/layout/panel'
import { Table, Td, Th, Tr } from '#components/ui/layout/table'
import type { ProviderAnalytics } from '#lib/contracts/campaigns/provider-analytics'
import { PROVIDER_NAMES } from '#lib/domain/domains/recipient-provider'
import { percent } from './funnel.ts'
import { Rate } from './rate.tsx'
import { TrueRange } from './true-range.tsx'

const TITLE = 'Recipients’ providers'
const figure = (count: number) => count.toLocaleString('en')

/** What each provider made of the emails; nothing where none was sent. */
export function ProviderTable({ analytics: { providers } }: { analytics: ProviderAnalytics }) {
  if (providers.length === 0) return null
  return (
    <Panel
      title={TITLE}
      description="By the provider that receives mail for the recipient’s domain. “Other” includes unknown ones."
      flush
    >
      <Table caption={TITLE}>
        <thead>
          <tr>
            <Th>Provider</Th>
            <Th numeric>Sent</Th>
            <Th numeric>Contacted</Th>
            <Th numeric>Replied</Th>
            <Th numeric>Bounced</Th>
            <Th numeric>Deferred</Th>
            <Th numeric>Unsubscribed</Th>
          </tr>
        </thead>
        <tbody>
          {providers.map((row) => (
            <Tr key={row.provider}>
              <Td lead>
                <span className="font-medium">{PROVIDER_NAMES[row.provider]}</span>
              </Td>
              <Td label="Sent" numeric>
                {figure(row.sent)}
              </Td>
              <Td label="Contacted" numeric>
                {figure(row.contacted)}
              </Td>
              <Td label="Replied" numeric>
                {percent(row.reply_rate.rate)}
                <TrueRange rate={row.reply_rate} />
              </Td>
              <Td label="Bounced" numeric>
                {percent(row.bounce_rate.rate)}
                <TrueRange rate={row.bounce_rate} />
              </Td>
              <Td label="Deferred" numeric>
                <Rate count={row.deferred} of={row.sent + row.deferred} noun="tries" />
              </Td>
              <Td label="Unsubscribed" numeric>
                {figure(row.unsubscribed)}
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
    </Panel>
  )
}
