import { Checkbox } from '#components/ui/controls/checkbox'

export type NamedCampaign = { campaign_id: string; name: string }

type Props = { campaigns: NamedCampaign[]; given?: readonly string[]; className?: string }

/** The campaigns that a client can see. */
export function CampaignChoice({ campaigns, given = [], className = 'grid' }: Props) {
  return (
    <fieldset className={`${className} gap-2`}>
      <legend className="mb-1 text-sm font-medium">Campaigns they can see</legend>
      {campaigns.length === 0 && <p className="text-sm text-muted">There are no campaigns yet.</p>}
      <div className="grid max-h-80 gap-2 overflow-y-auto">
        {campaigns.map(({ campaign_id, name }) => (
          <Checkbox
            key={campaign_id}
            name="campaign_ids"
            value={campaign_id}
            defaultChecked={given.includes(campaign_id)}
            label={<span className="wrap-anywhere">{name}</span>}
          />
        ))}
      </div>
    </fieldset>
  )
}
