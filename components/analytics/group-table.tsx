import { SortTh } from '#components/lists/sort-th'
import { Link } from '#components/ui/controls/link'
import { Panel } from '#components/ui/layout/panel'
import { Table, Td, Tr } from '#components/ui/layout/table'
import type { Query } from '#components/ui/query-href'
import type { WorkspaceAnalytics } from '#lib/contracts/campaigns/workspace-analytics'
import { isGroupOrder, sortGroups } from '#lib/domain/analytics/group-order'
import { percent } from './funnel.ts'
import { TrueRange } from './true-range.tsx'

type Group = WorkspaceAnalytics['totals'] & { key: string; name: string; href: string | null }

const figure = (count: number) => count.toLocaleString('en')

type Props = { title: string; groups: Group[]; path: string; query: Query }

/** The order requested by the URL, if groups can be sorted by it. */
export const groupOrder = (asked: unknown) => (isGroupOrder(asked) ? asked : undefined)

/** Column widths shared by tables below each other, so that their columns align. */
const FIGURES = [
  ['Sent', 'lg:w-[11%]'],
  ['Contacted', 'lg:w-[11%]'],
  ['Replied', 'lg:w-[22%]'],
  ['Bounced', 'lg:w-[12%]'],
  ['Unsubscribed', 'lg:w-[14%]'],
] as const

/** Results by group, with the uncertainty of the reply rate. The order applies to all groups. */
export function GroupTable({ title, groups, path, query }: Props) {
  return (
    <Panel title={title} flush>
      <Table caption={title} className="lg:table-fixed">
        <thead>
          <tr>
            <SortTh {...{ path, query }} column="name">
              Name
            </SortTh>
            {FIGURES.map(([label, className]) => (
              <SortTh
                key={label}
                {...{ path, query, className }}
                column={label.toLowerCase()}
                first="down"
                numeric
              >
                {label}
              </SortTh>
            ))}
          </tr>
        </thead>
        <tbody>
          {sortGroups(groups, query.sort?.toString()).map((group) => (
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
