'use client'

import { useState } from 'react'
import { EditChanges } from '#components/campaigns/change-lines'
import { Button } from '#components/ui/controls/button'
import { Link } from '#components/ui/controls/link'
import { Callout } from '#components/ui/feedback/callout'
import { Dialog } from '#components/ui/overlays/dialog'
import { type Act, useRun } from '#components/ui/use-action'
import type { EditPreview } from '#lib/contracts/campaigns/edit-preview'
import type { TextHolder } from '#lib/contracts/messages/templates'

type Props = {
  holders: TextHolder[]
  preview: (campaign_id: string) => Promise<{ preview: EditPreview } | { refused: string }>
  adopt: (campaign_id: string) => ReturnType<Act>
}

type Shown = { holder: TextHolder; preview: EditPreview }

/** Launched campaigns that still use the template's previous text, each with an action to update it. */
export function OlderTexts({ holders, preview, adopt }: Props) {
  const [shown, setShown] = useState<Shown | null>(null)
  const [run, isPending] = useRun()
  if (holders.length === 0) return null
  const show = (holder: TextHolder) =>
    run(async () => {
      const said = await preview(holder.campaign_id)
      if ('refused' in said) return { ok: false, message: said.refused }
      setShown({ holder, preview: said.preview })
      return { ok: true }
    })
  return (
    <>
      <Callout
        title={`${holders.length === 1 ? '1 launched campaign still uses' : `${holders.length} launched campaigns still use`} an older text`}
      >
        <p>Campaigns keep the texts they were launched with until you update them.</p>
        <ul className="mt-2 grid gap-2">
          {holders.map((holder) => (
            <li
              key={holder.campaign_id}
              className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1"
            >
              <span className="min-w-0 wrap-anywhere">
                <Link
                  href={`/campaigns/${holder.campaign_id}`}
                  className="rounded-xs font-medium text-accent-text hover:underline"
                >
                  {holder.name}
                </Link>{' '}
                ({holder.status})
              </span>
              <Button
                size="sm"
                aria-busy={isPending}
                onClick={() => show(holder)}
                aria-label={`Update ${holder.name} …`}
              >
                Update …
              </Button>
            </li>
          ))}
        </ul>
      </Callout>
      {shown && (
        <Takeover
          shown={shown}
          onClose={() => setShown(null)}
          onTake={() => {
            setShown(null)
            run(() => adopt(shown.holder.campaign_id))
          }}
        />
      )}
    </>
  )
}

function Takeover({ shown, onClose, onTake }: { shown: Shown; onClose: () => void; onTake: () => void }) {
  return (
    <Dialog
      isOpen
      wide
      onClose={onClose}
      title={`Use the new text in ${shown.holder.name}?`}
      description="Everything still to be sent uses it. Sent messages do not change. You can undo this in the campaign’s settings until a message is sent because of it."
      footer={
        <>
          <Button onClick={onClose}>Keep the older text</Button>
          <Button variant="primary" onClick={onTake}>
            Use the new text
          </Button>
        </>
      }
    >
      <EditChanges preview={shown.preview} />
    </Dialog>
  )
}
