import { KeyRound } from 'lucide-react'
import type { Metadata } from 'next'
import { z } from 'zod'
import { EmptyState } from '#components/ui/feedback/empty-state'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { Panel } from '#components/ui/layout/panel'
import { CreateKey } from '#components/workspaces/keys/create-key'
import { KEY_SORTS, KeyTable } from '#components/workspaces/keys/key-table'
import { MyToken } from '#components/workspaces/keys/my-token'
import { sortBy } from '#lib/contracts/fields'
import { ListApiKeys } from '#lib/contracts/workspaces/api-keys'
import { appOrigin, requireUser } from '#lib/http/session'
import { listApiKeys } from '#lib/services/workspaces/api-keys'
import { workspaceTimezone } from '#lib/services/workspaces/users'
import { parseQuery } from '../../page-input.ts'
import { createKey, revokeKey, rollKey, saveKey, showToken } from './actions.ts'

export const metadata: Metadata = { title: 'API keys' }

const Order = z.object({ sort: sortBy(KEY_SORTS) })

export default async function ApiKeysPage({ searchParams }: PageProps<'/api-keys'>) {
  const user = await requireUser(ListApiKeys)
  const query = parseQuery(Order, await searchParams)
  const now = new Date()
  const [list, zone] = await Promise.all([
    listApiKeys(user.workspace_id, now),
    workspaceTimezone(user.workspace_id),
  ])
  const { keys, count, tier_limit } = ListApiKeys.response.parse(list)
  const counted = keys.filter(({ replaced_by }) => !replaced_by).length
  return (
    <>
      <PageHeader
        title="API keys"
        description="For programs that act on your behalf. A key is shown once, when you create it."
        actions={<CreateKey create={createKey} isFull={counted >= tier_limit} own={user.role} />}
      />
      <PageBody>
        {count === 0 ? (
          <Panel>
            <EmptyState
              icon={<KeyRound />}
              title="No active key"
              description={`Your plan allows ${tier_limit}. Create a separate key for each program, so that you can revoke one without affecting the others.`}
            />
          </Panel>
        ) : (
          <KeyTable
            keys={keys}
            count={counted}
            tier_limit={tier_limit}
            query={query}
            now={now.toISOString()}
            zone={zone}
            own={user.role}
            revoke={revokeKey}
            roll={rollKey}
            save={saveKey}
          />
        )}
        <MyToken show={showToken} origin={appOrigin()} />
      </PageBody>
    </>
  )
}
