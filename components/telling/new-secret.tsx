'use client'

import { CodeBlock } from '#components/ui/code-block'
import { Button } from '#components/ui/controls/button'
import { Dialog } from '#components/ui/overlays/dialog'

type Props = {
  secret: string | null
  onStored: () => void
  /** What the secret is for. */
  use?: string
}

const CHECKS_EVENTS = 'Your server uses it to verify that an event comes from Opener.'

/** A signing secret, shown only once: the dialog closes by confirming that it is stored. */
export function NewSecret({ secret, onStored, use = CHECKS_EVENTS }: Props) {
  return (
    <Dialog
      onlyByButton
      isOpen={secret !== null}
      onClose={onStored}
      title="Copy the signing secret now"
      description={`${use} It cannot be shown again.`}
      footer={<Button onClick={onStored}>I saved it</Button>}
    >
      <CodeBlock label="Signing secret" code={secret ?? ''} />
    </Dialog>
  )
}
