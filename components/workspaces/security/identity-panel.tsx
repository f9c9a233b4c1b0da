'use client'

import { useState } from 'react'
import type { FormResult } from '#components/ui/controls/action-form'
import { Button } from '#components/ui/controls/button'
import { Callout } from '#components/ui/feedback/callout'
import { Panel } from '#components/ui/layout/panel'
import { ConfirmDialog } from '#components/ui/overlays/confirm-dialog'
import { useRun } from '#components/ui/use-action'
import { ZonedTime } from '#components/ui/zoned-time'
import { useProof } from '#components/workspaces/security/proof'
import { ProviderButton } from '#components/workspaces/sign-in/provider-button'
import type { Identity } from '#lib/contracts/workspaces/identities'

type Offered = { id: string; name: string }

type Props = {
  identities: Identity[]
  /** The identity providers of this instance. */
  offered: Offered[]
  zone: string
  /** The result of the last attempt to connect one. */
  said: { tone: 'success' | 'danger'; words: string } | null
  start: (provider: string) => Promise<FormResult>
  disconnect: (id: string) => Promise<FormResult>
}

type RowProps = Pick<Props, 'zone' | 'disconnect'> & { identity: Identity; name: string }

function IdentityRow({ identity, name, zone, disconnect }: RowProps) {
  const { identity_id, email, created_at } = identity
  const [isAsking, setAsking] = useState(false)
  const [run, isPending] = useRun()
  const ensure = useProof()
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0">
        <p className="font-medium">{name}</p>
        <p className="text-sm wrap-anywhere text-muted">
          {email ? `${email}, connected ` : 'Connected '}
          <ZonedTime at={created_at} zone={zone} style="date" />
        </p>
      </div>
      <Button
        size="sm"
        variant="ghost"
        aria-busy={isPending}
        onClick={() => ensure(() => setAsking(true))}
        aria-label={`Disconnect ${name}`}
      >
        Disconnect
      </Button>
      {isAsking && (
        <ConfirmDialog
          confirmation={{
            title: `Disconnect ${name}?`,
            description: 'It can no longer sign in to this account. Signed-in browsers stay signed in.',
            label: 'Disconnect',
            danger: true,
          }}
          onConfirm={() => run(() => disconnect(identity_id))}
          onClose={() => setAsking(false)}
        />
      )}
    </li>
  )
}

/** External accounts that can sign in to this account. */
export function IdentityPanel({ identities, offered, zone, said, start, disconnect }: Props) {
  const ensure = useProof()
  const providerName = ({ provider, issuer }: Identity) =>
    offered.find(({ id }) => id === provider)?.name ?? issuer.replace('https://', '')
  const open = offered.filter(({ id }) => identities.every(({ provider }) => provider !== id))
  if (offered.length === 0 && identities.length === 0) return null
  return (
    <Panel title="Sign in with another account" description="As well as your password, or instead of it.">
      {said && (
        <Callout tone={said.tone} role="status" className="mb-4">
          {said.words}
        </Callout>
      )}
      {identities.length > 0 && (
        <ul className="divide-y divide-border">
          {identities.map((identity) => (
            <IdentityRow
              key={identity.identity_id}
              identity={identity}
              name={providerName(identity)}
              zone={zone}
              disconnect={disconnect}
            />
          ))}
        </ul>
      )}
      {open.length > 0 && (
        <div className={identities.length > 0 ? 'mt-4 flex flex-wrap gap-2' : 'flex flex-wrap gap-2'}>
          {open.map(({ id, name }) => (
            <ProviderButton
              key={id}
              id={id}
              label={`Connect ${name}`}
              goOn="/settings/security"
              before={start.bind(null, id)}
              ask={ensure}
            />
          ))}
        </div>
      )}
    </Panel>
  )
}
