'use client'

import { useState } from 'react'
import { Button, buttonClass } from '#components/ui/controls/button'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { ListSkeleton } from '#components/ui/feedback/list-skeleton'
import { Panel } from '#components/ui/layout/panel'
import { ScrollArea } from '#components/ui/layout/scroll-area'
import { ConfirmDialog } from '#components/ui/overlays/confirm-dialog'
import { Dialog } from '#components/ui/overlays/dialog'
import { DialogActions } from '#components/ui/overlays/dialog-actions'
import { ExportMenu } from '#components/ui/overlays/export-menu'
import { TimeMenu } from '#components/ui/overlays/time-menu'
import { toast } from '#components/ui/overlays/toast'

const DELETION = {
  title: 'Delete dataset prospects.xlsx and its 1,240 leads?',
  description: 'Campaigns that have begun keep their own copy.',
  label: 'Delete dataset',
  danger: true,
}
type Open = 'dialog' | 'drawer' | 'form' | 'question' | 'typed' | null

/** Everything that opens over a page: each opens from a button, closes with Esc and returns the focus. */
export function Overlays() {
  const [open, setOpen] = useState<Open>(null)
  const close = () => setOpen(null)
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Panel title="Dialogs">
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => setOpen('dialog')}>Dialog</Button>
          <Button onClick={() => setOpen('drawer')}>Drawer</Button>
          <Button onClick={() => setOpen('form')}>Form</Button>
          <Button onClick={() => setOpen('question')}>Question</Button>
          <Button onClick={() => setOpen('typed')}>Question to be typed</Button>
          <ExportMenu path="/dev/ui" />
          <Times />
        </div>
        <Dialog
          isOpen={open === 'dialog' || open === 'drawer'}
          look={open === 'drawer' ? 'drawer' : 'dialog'}
          onClose={close}
          title="Rename campaign"
          description="The name is yours alone; no recipient sees it."
          footer={<Button onClick={close}>Close</Button>}
        >
          <p className="text-sm">Whatever is to be read or filled in.</p>
        </Dialog>
        <Dialog isOpen={open === 'form'} onClose={close} title="Rename campaign">
          <form action={close} className="grid gap-4">
            <Field label="Name">
              <Input defaultValue="Spring outreach" />
            </Field>
            <DialogActions>
              <SubmitButton>Rename</SubmitButton>
            </DialogActions>
          </form>
        </Dialog>
        <ConfirmDialog
          confirmation={
            open === 'question'
              ? DELETION
              : open === 'typed'
                ? { ...DELETION, type_to_confirm: 'prospects.xlsx' }
                : null
          }
          onConfirm={close}
          onClose={close}
        />
      </Panel>
      <Toasts />
      <Panel title="What scrolls by itself">
        <ScrollArea label="Twenty lines" className="max-h-32 rounded-sm border border-border p-2">
          {Array.from({ length: 20 }, (_, index) => index + 1).map((line) => (
            <p key={line} className="text-sm">
              Line {line}
            </p>
          ))}
        </ScrollArea>
      </Panel>
      <Panel title="A list, before it is there" flush>
        <ListSkeleton />
      </Panel>
    </div>
  )
}

function Toasts() {
  return (
    <Panel title="Toasts">
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => toast.success('Campaign paused.')}>Receipt</Button>
        <Button onClick={() => toast.error('Only a running campaign can be paused.', { duration: Infinity })}>
          Refusal
        </Button>
      </div>
    </Panel>
  )
}

const Times = () => (
  <TimeMenu
    label="Hold until"
    trigger="Hold until…"
    triggerClass={buttonClass({})}
    choices={[{ label: 'Tomorrow', until: '2030-03-05T09:00:00.000Z', at: 'Tue, 5 Mar' }]}
    title="Hold until"
    verb="Hold"
    zone="Europe/Berlin"
    onChoose={(until) => toast.success(`Held until ${until}.`)}
  />
)
