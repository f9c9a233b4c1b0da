import { Copy, Pause, Pencil, Play, Trash2 } from 'lucide-react'
import type { FormResult } from '#components/ui/controls/action-form'
import { SharedWork } from '#components/ui/controls/lock'
import { counted } from '#components/ui/counted'
import { Menu } from '#components/ui/overlays/menu'
import { MenuAction, MenuLink } from '#components/ui/overlays/menu-item'
import type { Campaign } from '#lib/contracts/campaigns/campaign'
import { mayDelete, statusAfter } from '#lib/domain/campaigns/campaign-status'

export type CampaignActs = Record<
  'pause' | 'resume' | 'duplicate' | 'remove',
  (campaign_id: string) => Promise<FormResult>
>

/** Offers the actions the campaign's status allows; the service checks again. */
export function CampaignMenu({ campaign, acts }: { campaign: Campaign; acts: CampaignActs }) {
  const { campaign_id: id, name, status } = campaign
  const mayPause = status !== 'paused' && statusAfter('pause', status) !== null
  return (
    <Menu label={`More for ${name}`}>
      <MenuLink href={`/campaigns/${id}`}>
        <Pencil aria-hidden /> Open
      </MenuLink>
      {mayPause && (
        <MenuAction act={acts.pause.bind(null, id)}>
          <Pause aria-hidden /> Pause
        </MenuAction>
      )}
      {status === 'paused' && (
        <MenuAction act={acts.resume.bind(null, id)}>
          <Play aria-hidden /> Resume
        </MenuAction>
      )}
      <SharedWork>
        <MenuAction act={acts.duplicate.bind(null, id)}>
          <Copy aria-hidden /> Duplicate
        </MenuAction>
      </SharedWork>
      {mayDelete(status) && (
        <MenuAction
          act={acts.remove.bind(null, id)}
          danger
          confirm={{
            title: `Delete campaign “${name}”?`,
            description: campaign.total_leads
              ? `Its ${counted(campaign.total_leads, 'leads')} and their history are deleted too. The dataset stays.`
              : 'Its steps and settings are deleted too. The dataset stays.',
            label: 'Delete campaign',
            danger: true,
          }}
        >
          <Trash2 aria-hidden /> Delete
        </MenuAction>
      )}
    </Menu>
  )
}
