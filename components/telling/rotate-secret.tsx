'use client'

import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import type { SecretResult } from '#components/telling/create-webhook'
import { NewSecret } from '#components/telling/new-secret'
import { ActionButton } from '#components/ui/controls/action-button'

type Props = { url: string; rotate: () => Promise<SecretResult> }

export function RotateSecret({ url, rotate }: Props) {
  const [secret, setSecret] = useState<string | null>(null)
  async function act() {
    const { secret: made, ...result } = await rotate()
    if (made) setSecret(made)
    return result
  }
  return (
    <>
      <ActionButton
        act={act}
        confirm={{
          title: `Create a new signing secret for ${url}?`,
          description:
            'For 24 hours, deliveries are signed with both secrets, so that you can update your server. Then the old one stops working.',
          label: 'Create new secret',
        }}
      >
        <RotateCw aria-hidden /> Rotate secret
      </ActionButton>
      <NewSecret secret={secret} onStored={() => setSecret(null)} />
    </>
  )
}
