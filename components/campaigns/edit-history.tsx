import { Undo2 } from 'lucide-react'
import { ActionButton } from '#components/ui/controls/action-button'
import type { FormResult } from '#components/ui/controls/action-form'
import { StatusPill } from '#components/ui/feedback/status-pill'
import { Panel } from '#components/ui/layout/panel'
import { RelativeTime } from '#components/ui/relative-time'
import type { CampaignEdit } from '#lib/contracts/campaigns/campaign-edits'
import { ChangeLines } from './change-lines.tsx'

type Props = {
  edits: CampaignEdit[]
  now: string
  undo: (edit_id: string) => Promise<FormResult>
}

/** Changes since the launch, newest first, with undo while nothing was sent under them. */
export function EditHistory({ edits, now, undo }: Props) {
  if (edits.length === 0) return null
  return (
    <Panel
      title="Edits since the launch"
      description="You can undo an edit until a message is sent because of it."
      flush
    >
      <ul className="divide-y divide-border">
        {edits.map(({ edit_id, at, changes, undone_at, may_undo, why_not }) => (
          <li key={edit_id} className="grid gap-2 px-4 py-3 text-sm">
            <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
              <span className="text-muted">
                <RelativeTime at={at} now={now} />
              </span>
              {undone_at ? (
                <StatusPill tone="neutral" mark="half" label="Undone" />
              ) : (
                may_undo && (
                  <ActionButton
                    size="sm"
                    act={undo.bind(null, edit_id)}
                    confirm={{
                      title: 'Undo this edit?',
                      description: `${changes.map(({ what }) => what).join(', ')}: the previous version is restored, and leads that the edit moved go back to where they were.`,
                      label: 'Undo the edit',
                    }}
                  >
                    <Undo2 aria-hidden /> Undo
                  </ActionButton>
                )
              )}
            </div>
            <details>
              <summary className="w-fit cursor-pointer rounded-xs wrap-anywhere">
                {changes.map(({ what }) => what).join(', ') || 'No visible change'}
              </summary>
              <ChangeLines lines={changes} />
            </details>
            {why_not && !undone_at && <p className="text-muted">{why_not}</p>}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
