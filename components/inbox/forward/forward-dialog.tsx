'use client'

import { KeptFields } from '#components/drafts/kept-fields'
import { ActionForm } from '#components/ui/controls/action-form'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Textarea } from '#components/ui/controls/textarea'
import { Dialog } from '#components/ui/overlays/dialog'
import { DialogActions } from '#components/ui/overlays/dialog-actions'
import { submitsByKey } from '../composer/submit-key.tsx'
import type { Forwarded } from './forwarded.tsx'
import { ForwardedFiles } from './forwarded-files.tsx'

/** Recipient and note for forwarding a message. */
export function ForwardDialog({
  inbox_message_id,
  of,
  files,
  areKept,
  attach,
  forward,
  onClose,
}: Forwarded & { onClose: () => void }) {
  const address = { type: 'text', inputMode: 'email', autoComplete: 'off', spellCheck: false } as const
  return (
    <Dialog isOpen onClose={onClose} title={`Forward the message from ${of}`}>
      <ActionForm
        action={forward}
        className="grid data-over:rounded-sm data-over:outline-2 data-over:outline-offset-4 data-over:outline-accent-text grid-cols-[minmax(0,1fr)] gap-3"
        onDone={onClose}
      >
        <KeptFields name={`forward:${inbox_message_id}`} what="The message" />
        <Field label="To" name="to" required>
          <Input {...address} maxLength={254} placeholder="ada@example.com" />
        </Field>
        <Field label="Cc" name="cc">
          <Input {...address} maxLength={5_000} />
        </Field>
        <Field
          label="Message"
          name="text"
          hint="The message follows as text, without unsubscribe links. Replies to it do not appear in this conversation."
        >
          <Textarea rows={4} maxLength={100_000} onKeyDown={submitsByKey} />
        </Field>
        <ForwardedFiles files={files} areKept={areKept} attach={attach} />
        <DialogActions>
          <SubmitButton variant="primary">Forward</SubmitButton>
        </DialogActions>
      </ActionForm>
    </Dialog>
  )
}
