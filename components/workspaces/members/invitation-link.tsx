'use client'

import { useState } from 'react'
import { CodeBlock } from '#components/ui/code-block'
import { ActionButton } from '#components/ui/controls/action-button'
import type { FormResult } from '#components/ui/controls/action-form'
import { Button } from '#components/ui/controls/button'
import { Dialog } from '#components/ui/overlays/dialog'

/** An invitation that was not emailed. */
type Link = { email: string; url: string }
export type InvitationResult = FormResult & { link?: Link }

/** Shown only once, and until it is copied, because the invited person gets it in no other way. */
export function InvitationLink({ link, onCopied }: { link: Link | null; onCopied: () => void }) {
  return (
    <Dialog
      onlyByButton
      isOpen={link !== null}
      onClose={onCopied}
      title={`Send this link to ${link?.email}`}
      description="No email was sent. The link works once, within 7 days, and cannot be shown again. “Send again” creates a new one."
      footer={<Button onClick={onCopied}>I copied it</Button>}
    >
      <CodeBlock label="Invitation link" code={link?.url ?? ''} />
    </Dialog>
  )
}

export function ResendInvitation({ resend }: { resend: () => Promise<InvitationResult> }) {
  const [link, setLink] = useState<Link | null>(null)
  async function act() {
    const { link: made, ...result } = await resend()
    if (made) setLink(made)
    return result
  }
  return (
    <>
      <ActionButton size="sm" act={act}>
        Send again
      </ActionButton>
      <InvitationLink link={link} onCopied={() => setLink(null)} />
    </>
  )
}
