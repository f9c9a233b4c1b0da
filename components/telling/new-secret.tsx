'use client'

import { CodeBlock } from '#components/ui/code-block'
import { Button } from '#components/ui/controls/button'
import { Dialog } from '#components/ui/overlays/dialog'

type Props = { secret: string | null; onStored: () => void }

/** A signing secret, shown this once: the dialog closes by saying that it is stored. */
export function NewSecret({ secret, onStored }: Props) {
  return (
    <Dialog
      isOpen={secret !== null}
      onClose={onStored}
      title="Copy the signing secret now"
      description="Your server checks with it that an event comes from here. It cannot be shown again."
      footer={<Button onClick={onStored}>I saved it</Button>}
    >
      <CodeBlock label="Signing secret" code={secret ?? ''} />
    </Dialog>
  )
}
