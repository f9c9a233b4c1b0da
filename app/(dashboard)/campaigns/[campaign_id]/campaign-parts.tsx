import { windowWords } from '#components/schedule/window-words'
import { LinkButton } from '#components/ui/controls/link-button'
import { Panel } from '#components/ui/layout/panel'
import type { Campaign } from '#lib/contracts/campaigns/campaign'
import { UpdateCampaign } from '#lib/contracts/campaigns/campaigns'
import { campaignRefusal } from '#lib/contracts/workspaces/roles'
import { requireUser } from '#lib/http/session'
import { getDataset } from '#lib/services/datasets/datasets'

/** A campaign's leads, sequence and schedule, linked to where they are edited or viewed. */
export async function CampaignParts({ campaign }: { campaign: Campaign }) {
  const { workspace_id, user_id, role } = await requireUser()
  const dataset = await getDataset(workspace_id, campaign.dataset_id)
  const isRefused = campaignRefusal(role, UpdateCampaign, campaign.user_id === user_id) !== null
  const act = (edit: string, part: string) => (isRefused ? `See ${part}` : edit)
  const base = `/campaigns/${campaign.campaign_id}`
  const steps = campaign.steps_config.length
  const parts = [
    {
      title: 'Leads',
      text: `${dataset.row_count.toLocaleString('en')} in “${dataset.dataset_name}”`,
      href: `/datasets/${dataset.dataset_id}`,
      act: 'See leads',
    },
    {
      title: 'Sequence',
      text: steps === 0 ? 'Nothing written yet.' : `${steps} ${steps === 1 ? 'step' : 'steps'}`,
      href: `${base}/sequence`,
      act: act(steps === 0 ? 'Write the first step' : 'Edit', 'sequence'),
    },
    {
      title: 'Schedule',
      text: `${windowWords(campaign)}, at most ${campaign.daily_limit.toLocaleString('en')} a day`,
      href: `${base}/schedule`,
      act: act('Edit', 'schedule'),
    },
  ]
  return (
    <Panel title="Setup" flush>
      <dl>
        {parts.map((part) => (
          <div
            key={part.title}
            className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 border-b border-border px-4 py-3 text-sm last:border-0 sm:grid-cols-[6rem_minmax(0,1fr)_auto]"
          >
            <dt className="font-medium">{part.title}</dt>
            <dd className="text-muted wrap-anywhere max-sm:order-last max-sm:col-span-2">{part.text}</dd>
            <dd>
              <LinkButton size="sm" href={part.href}>
                {part.act}
              </LinkButton>
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}
