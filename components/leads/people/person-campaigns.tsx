import { LeadStatusPill } from '#components/leads/lead-status'
import { Link } from '#components/ui/controls/link'
import { Panel } from '#components/ui/layout/panel'
import type { OnePerson } from '#lib/contracts/leads/people'

/** The campaigns in which the person is a lead, with their progress. */
export function PersonCampaigns({ leads }: Pick<OnePerson, 'leads'>) {
  return (
    <Panel title="Campaigns">
      {leads.length === 0 && <p className="text-sm text-muted">In no campaign.</p>}
      <ul className="grid gap-2 text-sm">
        {leads.map(({ campaign_lead_id, campaign_id, campaign_name, owner_name, status }) => (
          <li key={campaign_lead_id} className="flex items-center justify-between gap-3">
            <span className="grid min-w-0">
              <Link
                className="rounded-xs wrap-anywhere text-accent-text underline"
                href={`/campaigns/${campaign_id}/leads?lead=${campaign_lead_id}`}
              >
                {campaign_name}
              </Link>
              <span className="text-xs wrap-anywhere text-muted">Owner: {owner_name}</span>
            </span>
            <LeadStatusPill status={status} isPaused={false} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}
