import type { ColumnChoice } from '#components/lists/column-chooser'
import { type Choosable, shownColumns } from '#components/lists/columns'
import { type Column, ListTable } from '#components/lists/list-table'
import { type OthersWork, RowLock } from '#components/lists/row-lock'
import { Checkbox } from '#components/ui/controls/checkbox'
import { Link } from '#components/ui/controls/link'
import type { Query } from '#components/ui/query-href'
import { RelativeTime } from '#components/ui/relative-time'
import { ZonedTime } from '#components/ui/zoned-time'
import type { Campaign, OwnedCampaign } from '#lib/contracts/campaigns/campaign'
import type { Explanation } from '#lib/contracts/campaigns/explanations'
import { mayDispatch, statusAfter } from '#lib/domain/campaigns/campaign-status'
import { Rate } from '../analytics/rate.tsx'
import { type CampaignActs, CampaignMenu } from './campaign-menu.tsx'
import { CampaignNow } from './campaign-now.tsx'
import { CampaignProgress } from './campaign-progress.tsx'
import { CampaignSelection, type ChangeCampaigns } from './campaign-selection.tsx'
import { CampaignStatus } from './campaign-status.tsx'

type Props = {
  campaigns: OwnedCampaign[]
  total: number
  page: number
  page_size: number
  query: Query
  now: string
  acts: CampaignActs
  /** By campaign id, why it is not sending. */
  whys: Record<string, Explanation>
  /** By campaign id, how many leads have not begun. */
  pending?: Record<string, number>
  /** By campaign id, its result rates. */
  rates?: Record<string, Rates>
  /** Whether several people have campaigns, so that the owner is shown. */
  isTeam?: boolean
  /** Set for users who may change only their own campaigns. */
  others?: OthersWork | null
  choice?: Pick<ColumnChoice, 'shown'>
  /** Given if several campaigns can be paused and resumed at once. */
  change?: ChangeCampaigns
}

/** Columns besides the name; the owner only if there are several. */
export const CAMPAIGN_COLUMNS: Choosable[] = [
  { key: 'owner', label: 'Owner' },
  { key: 'status', label: 'Status' },
  { key: 'leads', label: 'Leads' },
  { key: 'sent_count', label: 'Sent' },
  { key: 'replied_count', label: 'Replied' },
  { key: 'bounced_count', label: 'Bounced' },
  { key: 'daily_limit', label: 'Per day' },
  { key: 'next_slot_at', label: 'Next send' },
  { key: 'created_at', label: 'Created', isExtra: true },
]

type Counts = { numerator: number; denominator: number }
type Rates = Record<'reply_rate' | 'bounce_rate', Counts>

const OWNER: Column<OwnedCampaign> = {
  key: 'owner',
  label: 'Owner',
  className: 'sm:max-w-36 sm:truncate',
  cell: ({ owner_name }) => owner_name,
}

const createdColumn = (now: string): Column<OwnedCampaign> => ({
  key: 'created_at',
  label: 'Created',
  sort: { column: 'created_at', first: 'down' },
  className: 'whitespace-nowrap',
  cell: ({ created_at }) => <RelativeTime at={created_at} now={now} />,
})

const figure = (
  label: string,
  column: string,
  cell: Column<OwnedCampaign>['cell'],
): Column<OwnedCampaign> => ({
  key: column,
  label,
  sort: { column, first: 'down' },
  numeric: true,
  cell,
})

const buildColumns = ({
  now,
  whys,
  pending = {},
  rates = {},
  change,
  isTeam,
}: Omit<Props, 'campaigns'>): Column<OwnedCampaign>[] => {
  const share = (rate: Counts | undefined, noun: string) =>
    rate?.denominator ? <Rate count={rate.numerator} of={rate.denominator} noun={noun} /> : '–'
  return [
    {
      label: 'Campaign',
      sort: { column: 'name' },
      className: 'max-w-96',
      cell: (campaign) => (
        <CampaignName
          campaign={campaign}
          now={now}
          why={whys[campaign.campaign_id]}
          isSelectable={change !== undefined}
        />
      ),
    },
    ...(isTeam ? [OWNER] : []),
    {
      key: 'status',
      label: 'Status',
      sort: { column: 'status' },
      cell: ({ status }) => <CampaignStatus status={status} />,
    },
    {
      key: 'leads',
      label: 'Leads',
      sort: { column: 'total_leads', first: 'down' },
      headClass: 'w-1/5',
      cell: (campaign) =>
        campaign.total_leads ? (
          <LeadsDone campaign={campaign} pending={pending[campaign.campaign_id]} />
        ) : (
          '–'
        ),
    },
    figure('Sent', 'sent_count', ({ sent_count }) => sent_count.toLocaleString('en')),
    figure('Replied', 'replied_count', ({ campaign_id }) =>
      share(rates[campaign_id]?.reply_rate, 'contacted'),
    ),
    figure('Bounced', 'bounced_count', ({ campaign_id }) => share(rates[campaign_id]?.bounce_rate, 'tried')),
    figure('Per day', 'daily_limit', ({ daily_limit }) => daily_limit.toLocaleString('en')),
    {
      key: 'next_slot_at',
      label: 'Next send',
      sort: { column: 'next_slot_at' },
      className: 'whitespace-nowrap',
      cell: (campaign) => nextSend(campaign, whys[campaign.campaign_id]),
    },
    createdColumn(now),
  ]
}

export function CampaignTable({ campaigns, ...props }: Props) {
  const { total, page, page_size, query, acts, change, choice, others } = props
  const table = (
    <ListTable
      {...{ total, page, page_size, query }}
      caption="Campaigns"
      noun="campaigns"
      path="/campaigns"
      columns={buildColumns(props)}
      shown={choice?.shown ?? shownColumns(CAMPAIGN_COLUMNS, undefined)}
      rows={campaigns}
      rowKey={({ campaign_id }) => campaign_id}
      actions={(campaign) => (
        <RowLock others={others} id={campaign.campaign_id}>
          <CampaignMenu campaign={campaign} acts={acts} />
        </RowLock>
      )}
    />
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
      others={others}
    >
      {table}
    </CampaignSelection>
  )
}

type NameProps = Pick<Props, 'now'> & {
  campaign: Campaign
  why: Explanation | undefined
  isSelectable: boolean
}

function CampaignName({ campaign, now, why, isSelectable }: NameProps) {
  return (
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
  )
}

function LeadsDone({ campaign, pending }: { campaign: Campaign; pending: number | undefined }) {
  return (
    <div className="max-sm:w-44">
      <p className="mb-1 text-right text-xs text-muted sm:text-left">
        {campaign.processed_leads.toLocaleString('en')} / {(campaign.total_leads ?? 0).toLocaleString('en')}
      </p>
      <CampaignProgress campaign={campaign} pending={pending} />
    </div>
  )
}

/** The next look is earlier than the next send if a rule holds the campaign back longer. */
function nextSend(campaign: Campaign, why: Explanation | undefined) {
  const at = why?.until ?? campaign.next_slot_at
  return mayDispatch(campaign.status) && at ? <ZonedTime at={at} zone={campaign.timezone} /> : '–'
}
