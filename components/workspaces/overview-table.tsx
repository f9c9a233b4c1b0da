import { clsx } from 'clsx'
import { Badge, type Tone } from '#components/ui/feedback/badge'
import { Table, Td, Th, Tr } from '#components/ui/layout/table'
import type { WorkspaceOverview } from '#lib/contracts/workspaces/overview'
import { roleLabel } from './members/role-options.tsx'

const figure = (count: number) => count.toLocaleString('en')
const several = (count: number, one: string, many = `${one}s`) =>
  `${figure(count)} ${count === 1 ? one : many}`
const percent = (rate: number | null) => (rate === null ? '–' : `${(rate * 100).toFixed(1)} %`)

type Wait = { key: string; tone: Tone; text: string; path: string }

const PAUSED = {
  bounce_rate: 'bounce rate',
  complaint_rate: 'complaints',
  sender_disconnected: 'no sender',
  personalization_review_pending: 'texts to review',
  restored: 'restored',
  user: 'manually',
} as const

/** What needs attention: stopped things first, then waiting ones. */
function listWaits(waiting: NonNullable<WorkspaceOverview['waiting']>): Wait[] {
  const { failed_launches, paused, mailboxes, accounts, unanswered_threads } = waiting
  const counted = (count: number, wait: Wait) => (count > 0 ? [wait] : [])
  return [
    ...counted(failed_launches, {
      key: 'failed',
      tone: 'danger',
      text: several(failed_launches, 'failed launch', 'failed launches'),
      path: 'campaigns?status=failed',
    }),
    ...paused.map(({ reason, campaigns }) => ({
      key: reason,
      tone: 'danger' as const,
      text: `${figure(campaigns)} paused: ${PAUSED[reason]}`,
      path: 'campaigns?status=paused',
    })),
    ...counted(mailboxes, {
      key: 'mailboxes',
      tone: 'danger',
      text: `${several(mailboxes, 'mailbox', 'mailboxes')} failing`,
      path: 'mailboxes',
    }),
    ...counted(accounts, {
      key: 'accounts',
      tone: 'danger',
      text: `${several(accounts, 'account')} to reconnect`,
      path: 'accounts',
    }),
    ...counted(unanswered_threads, {
      key: 'threads',
      tone: 'warning',
      text: `${figure(unanswered_threads)} to answer`,
      path: 'inbox?folder=needs_answer',
    }),
  ]
}

type Props = { workspaces: WorkspaceOverview[]; current: string }

type RowProps = { workspace: WorkspaceOverview; parent: WorkspaceOverview | undefined; isCurrent: boolean }

/**
 * One line per workspace, below its parent if that is shown too. Links load a full page, so that nothing of
 * one workspace stays visible in another.
 */
export function OverviewTable({ workspaces, current }: Props) {
  return (
    <Table caption="Workspaces">
      <thead>
        <tr>
          <Th>Workspace</Th>
          <Th>Your role</Th>
          <Th>Needs attention</Th>
          <Th numeric>Sent, 7 days</Th>
          <Th numeric>Replied, 7 days</Th>
          <Th numeric>Rate, 7 days</Th>
          <Th numeric>Sent, 30 days</Th>
          <Th numeric>Replied, 30 days</Th>
          <Th numeric>Rate, 30 days</Th>
        </tr>
      </thead>
      <tbody>
        {workspaces.map((workspace) => (
          <Row
            key={workspace.workspace_id}
            workspace={workspace}
            parent={workspaces.find((one) => one.workspace_id === workspace.parent_workspace_id)}
            isCurrent={workspace.workspace_id === current}
          />
        ))}
      </tbody>
    </Table>
  )
}

function Row({ workspace, parent, isCurrent }: RowProps) {
  const { name, slug, role, waiting, last_7_days: week, last_30_days: month } = workspace
  const isClient = waiting === null
  const isBelow = parent !== undefined
  return (
    <Tr>
      <Td lead>
        <a
          href={`/w/${slug}/${isClient ? 'results' : 'home'}`}
          className={clsx('font-medium wrap-anywhere hover:underline', isBelow && 'sm:ml-5')}
        >
          {name}
        </a>
        {parent && <span className="sr-only"> below {parent.name}</span>}
        {isCurrent && <span className="text-xs text-muted"> · current</span>}
      </Td>
      <Td label="Your role">{roleLabel(role)}</Td>
      <Td label="Needs attention">
        <Waits slug={slug} waits={waiting ? listWaits(waiting) : []} />
      </Td>
      <Td label="Sent, 7 days" numeric>
        {figure(week.sent)}
      </Td>
      <Td label="Replied, 7 days" numeric>
        {figure(week.replied)}
      </Td>
      <Td label="Rate, 7 days" numeric>
        {percent(week.reply_rate)}
      </Td>
      <Td label="Sent, 30 days" numeric>
        {figure(month.sent)}
      </Td>
      <Td label="Replied, 30 days" numeric>
        {figure(month.replied)}
      </Td>
      <Td label="Rate, 30 days" numeric>
        {percent(month.reply_rate)}
      </Td>
    </Tr>
  )
}

function Waits({ slug, waits }: { slug: string; waits: Wait[] }) {
  if (waits.length === 0) return <span className="text-muted">Nothing</span>
  return (
    <ul className="flex flex-wrap gap-1.5 max-sm:justify-end">
      {waits.map(({ key, tone, text, path }) => (
        <li key={key}>
          <a href={`/w/${slug}/${path}`} className="inline-flex min-h-6 items-center hover:underline">
            <Badge tone={tone}>{text}</Badge>
          </a>
        </li>
      ))}
    </ul>
  )
}
