'use client'

import { ChangeLines, countLeads, ForecastLine } from '#components/campaigns/change-lines'
import { Button } from '#components/ui/controls/button'
import { Callout } from '#components/ui/feedback/callout'
import { Dialog } from '#components/ui/overlays/dialog'
import type { EditPreview } from '#lib/contracts/campaigns/edit-preview'
import type { Line } from '#lib/domain/campaigns/campaign-changes'
import type { SequenceProps } from '../sequence/editor-props.tsx'
import type { Item } from '../sequence/steps.tsx'
import { diffSteps } from './diff.tsx'

type Props = Pick<SequenceProps, 'templates' | 'profiles'> & {
  before: Item[]
  after: Item[]
  /** The server's preview; null while loading or if it failed. */
  preview: EditPreview | null
  account: Line | null
  onConfirm: () => void
  onClose: () => void
}

/** Shown before an edit of a launched campaign is saved: what changes, and for how many leads. */
export function LiveDiff(props: Props) {
  const { before, after, templates, profiles, preview, account, onConfirm, onClose } = props
  const changes = diffSteps(before, after, {
    templates,
    profiles: profiles.flatMap(({ id, profile_name }) => (id ? [{ id, name: profile_name }] : [])),
  })
  const countLeadsAhead = (step: number) =>
    Math.max(0, ...(preview?.changes ?? []).flatMap((one) => (one.step === step ? [one.leads] : [])))
  const whom =
    preview === null
      ? 'the leads in progress'
      : countLeads(Math.max(0, ...preview.changes.map(({ leads }) => leads)))
  return (
    <Dialog
      isOpen
      wide
      onClose={onClose}
      title={`Save these changes for ${whom}?`}
      description="The campaign is already running. Sent messages do not change. Leads waiting for a changed step get the new version, with the delay counted from their last step. You can undo the edit until a message is sent because of it."
      footer={
        <>
          <Button onClick={onClose}>Keep editing</Button>
          <Button variant="primary" onClick={onConfirm}>
            Save for {whom}
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {changes.length === 0 && !account && <Callout>No changes since the last save.</Callout>}
        {account && (
          <section className="min-w-0">
            <h3 className="text-sm font-medium">All social steps</h3>
            <ChangeLines lines={[account]} />
          </section>
        )}
        {changes.map((change) => (
          <section key={change.key} className="min-w-0">
            <h3 className="flex flex-wrap items-baseline justify-between gap-x-4 text-sm font-medium">
              {change.title}
              <span className="font-normal text-muted">
                {preview === null ? '' : `${countLeads(countLeadsAhead(change.step))} still ahead`}
              </span>
            </h3>
            <ChangeLines lines={change.lines} />
          </section>
        ))}
        {preview && <ForecastLine preview={preview} />}
      </div>
    </Dialog>
  )
}
