import { CreateReportLink } from '#components/campaigns/reports/create-report-link'
import { ReportLinkTable } from '#components/campaigns/reports/report-link-table'
import { Panel } from '#components/ui/layout/panel'
import type { Campaign } from '#lib/contracts/campaigns/campaign'
import { ListReportLinks } from '#lib/contracts/campaigns/report-links'
import { isOwnOnly, roleRefusal } from '#lib/contracts/workspaces/roles'
import type { SignedIn } from '#lib/http/session'
import { listReportLinks } from '#lib/services/campaigns/reports/report-links'
import { workspaceTimezone } from '#lib/services/workspaces/users'
import { createLink, revokeLink } from '../../../settings/reports/actions.ts'

type Props = { user: SignedIn; campaign: Campaign; now: Date }

/** The report links of this campaign, for users who may share it. */
export async function CampaignLinks({ user, campaign, now }: Props) {
  const { campaign_id, launched_at } = campaign
  const isOthers = isOwnOnly(user.role) && campaign.user_id !== user.user_id
  if (!launched_at || isOthers || roleRefusal(user.role, ListReportLinks)) return null
  const query = ListReportLinks.query.parse({ campaign_id, page_size: 100 })
  const [list, zone] = await Promise.all([listReportLinks(user, query), workspaceTimezone(user.workspace_id)])
  const { items } = ListReportLinks.response.parse(list)
  return (
    <Panel
      title="Report links"
      description={items.length > 0 ? undefined : 'Share these results with somebody who has no account.'}
      action={<CreateReportLink create={createLink} campaigns={[campaign]} />}
      flush
    >
      {items.length > 0 && (
        <ReportLinkTable links={items} zone={zone} now={now.toISOString()} revoke={revokeLink} />
      )}
    </Panel>
  )
}
