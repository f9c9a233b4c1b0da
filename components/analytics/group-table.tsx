import Link from 'next/link'
import { Panel } from '#components/ui/layout/panel'
import { Table, Td, Th, Tr } from '#components/ui/layout/table'
import type { WorkspaceAnalytics } from '#lib/contracts/campaigns/workspace-analytics'
import { percent } from './funnel.ts'
import { TrueRange } from './true-range.tsx'

type Group = WorkspaceAnalytics['totals'] & { key: string; name: string; href: string | null }

const figure = (count: number) => count.toLocaleString('en')

/** Groups beside each other: what each sent and what came of it, with how sure the reply rate is. */
export function GroupTable({ title, groups }: { title: string; groups: Group[] }) {
  return (
    <Panel title={title} flush>
      <Table caption={title}>
        <thead>
          <tr>
            <Th>Name</Th>
            <Th numeric>Sent</Th>
            <Th numeric>Contacted</Th>
            <Th numeric>Replied</Th>
            <Th numeric>Bounced</Th>
            <Th numeric>Unsubscribed</Th>
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <Tr key={group.key}>
              <Td lead>
                {group.href ? (
                  <Link
                    href={group.href}
                    prefetch={false}
                    className="font-medium wrap-anywhere hover:underline"
                  >
                    {group.name}
                  </Link>
                ) : (
                  <span className="font-medium">{group.name}</span>
                )}
              </Td>
              <Td label="Sent" numeric>
                {figure(group.sent)}
              </Td>
              <Td label="Contacted" numeric>
                {figure(group.contacted)}
              </Td>
              <Td label="Replied" numeric>
                <Share rate={group.reply_rate} />
              </Td>
              <Td label="Bounced" numeric>
                {percent(group.bounce_rate.rate)}
              </Td>
              <Td label="Unsubscribed" numeric>
                {figure(group.unsubscribed)}
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
    </Panel>
  )
}

const Share = ({ rate }: { rate: Group['reply_rate'] }) => (
  <>
    {percent(rate.rate)}
    <TrueRange rate={rate} />
  </>
)
