import type { Metadata } from 'next'
import { SandboxNetwork } from '#components/senders/sandbox-network'
import { Callout } from '#components/ui/feedback/callout'
import { PageBody } from '#components/ui/layout/page-header'
import { requireUser } from '#lib/http/session'
import { readSandboxNetwork } from '#lib/services/sandbox/network'
import { orNotFound } from '../../../page-input.ts'
import { SandboxHeader } from '../header.tsx'
import { accept, answer, ignore, limit, signOut } from './actions.ts'

export const metadata: Metadata = { title: 'Sandbox network' }

export default async function SandboxNetworkPage() {
  const user = await requireUser()
  const network = await orNotFound(readSandboxNetwork(user.workspace_id))
  const now = new Date()
  return (
    <>
      <SandboxHeader
        current="network"
        title="Sandbox network"
        description="A simulated social network: what your accounts did there, and what its people do."
      />
      <PageBody>
        <Callout title="This is a sandbox">
          Nobody here is real, and nothing leaves this instance. Some people accept invitations and reply
          automatically after a few minutes. Here you decide for them.
        </Callout>
        <SandboxNetwork
          accounts={network.accounts.map(
            ({ provider_account_id, name, network, kind, status, refuse_next }) => ({
              id: provider_account_id,
              name,
              network,
              kind,
              status,
              refuse_next,
            }),
          )}
          people={network.people.map((person) => ({
            account: person.provider_account_id,
            id: person.provider_id,
            name: person.name,
            headline: person.headline,
            relation:
              person.connects_at && person.connects_at <= now
                ? 'connected'
                : person.invitation_id
                  ? 'invited'
                  : 'none',
          }))}
          messages={network.messages.map(({ message_id, provider_id, direction, action_type, text, at }) => ({
            id: message_id,
            person: network.people.find((one) => one.provider_id === provider_id)?.name ?? provider_id,
            direction,
            action_type,
            text,
            at: at.toISOString(),
            isToCome: at > now,
          }))}
          posts={network.posts.map(({ provider_post_id, text, at }) => ({
            id: provider_post_id,
            text,
            at: at.toISOString(),
          }))}
          now={now.toISOString()}
          acts={{ accept, answer, ignore, limit, signOut }}
        />
      </PageBody>
    </>
  )
}
