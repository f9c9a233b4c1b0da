'use client'

import { type ComponentProps, useState } from 'react'
import { ActionForm } from '#components/ui/controls/action-form'
import { Button } from '#components/ui/controls/button'
import { Dialog } from '#components/ui/overlays/dialog'
import type { EditPreview } from '#lib/contracts/campaigns/edit-preview'
import { EditChanges } from './change-lines.tsx'

export type PreviewEdit = (data: FormData) => Promise<EditPreview | null>

type Props = ComponentProps<typeof ActionForm> & {
  /** Shows what saving would do; null for a campaign that is not launched, which needs no confirmation. */
  preview: PreviewEdit | null
}

/** A form for a campaign. If the campaign is launched, the effect of a change is shown before it is saved. */
export function LiveForm({ preview, children, ...form }: Props) {
  const [asked, setAsked] = useState<{ preview: EditPreview; save: () => void } | null>(null)
  const ask =
    preview &&
    (async (data: FormData, save: () => void) => {
      // Null: the change is invalid, and saving it will say why.
      const said = await preview(data)
      if (said && said.changes.length > 0) setAsked({ preview: said, save })
      else save()
    })
  return (
    <>
      <ActionForm {...form} {...(ask ? { ask } : {})}>
        {children}
      </ActionForm>
      {asked && (
        <Dialog
          isOpen
          wide
          onClose={() => setAsked(null)}
          title="Save these changes?"
          description="The campaign is already running. Sent messages do not change. You can undo the edit in Settings until a message is sent because of it."
          footer={
            <>
              <Button onClick={() => setAsked(null)}>Keep editing</Button>
              <Button
                variant="primary"
                onClick={() => {
                  setAsked(null)
                  asked.save()
                }}
              >
                Save the changes
              </Button>
            </>
          }
        >
          <EditChanges preview={asked.preview} />
        </Dialog>
      )}
    </>
  )
}
