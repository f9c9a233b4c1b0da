import { ActionButton } from '#components/ui/controls/action-button'
import type { FormResult } from '#components/ui/controls/action-form'
import { SharedWork } from '#components/ui/controls/lock'
import { counted } from '#components/ui/counted'
import { Panel } from '#components/ui/layout/panel'
import type { Campaign } from '#lib/contracts/campaigns/campaign'
import { mayDelete } from '#lib/domain/campaigns/campaign-status'

type Act = () => Promise<FormResult>

/** Duplicate or delete the campaign; if it cannot be deleted yet, what has to happen first. */
export function CampaignDanger({
  campaign,
  duplicate,
  remove,
}: {
  campaign: Campaign
  duplicate: Act
  remove: Act
}) {
  const { name, status, total_leads } = campaign
  return (
    <Panel title="Duplicate or delete">
      <div className="grid gap-3 text-sm">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="min-w-48 flex-1 text-muted">A draft with the same dataset, steps and schedule.</p>
          <SharedWork>
            <ActionButton act={duplicate}>Duplicate</ActionButton>
          </SharedWork>
        </div>
        <div className="flex flex-wrap items-center justify-between gap-3 border-t border-border pt-3">
          <p className="min-w-48 flex-1 text-muted">
            {mayDelete(status)
              ? 'Its leads and their history are deleted too. The dataset stays.'
              : 'A campaign that may still send cannot be deleted: pause it first.'}
          </p>
          {mayDelete(status) && (
            <ActionButton
              variant="danger"
              act={remove}
              confirm={{
                title: `Delete campaign “${name}”?`,
                description: total_leads
                  ? `Its ${counted(total_leads, 'leads')} and their history are deleted too. The dataset stays.`
                  : 'Its steps and settings are deleted too. The dataset stays.',
                label: 'Delete campaign',
                danger: true,
              }}
            >
              Delete this campaign
            </ActionButton>
          )}
        </div>
      </div>
    </Panel>
  )
}
