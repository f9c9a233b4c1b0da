import { Webhook as WebhookIcon } from 'lucide-react'
import type { Metadata } from 'next'
import { CreateWebhook } from '#components/telling/create-webhook'
import { WebhookTable } from '#components/telling/webhook-table'
import { EmptyState } from '#components/ui/feedback/empty-state'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { Panel } from '#components/ui/layout/panel'
import { EVENT_TYPES } from '#lib/contracts/telling/webhook-events'
import { ListWebhooks } from '#lib/contracts/telling/webhooks'
import { requireUser } from '#lib/http/session'
import { listWebhooks } from '#lib/services/telling/webhooks'
import { parseQuery } from '../../page-input.ts'
import { createWebhook } from './actions.ts'
import { EVENT_CHOICES } from './choices.ts'

export const metadata: Metadata = { title: 'Webhooks' }

export default async function WebhooksPage({ searchParams }: PageProps<'/webhooks'>) {
  const user = await requireUser(ListWebhooks)
  const query = parseQuery(ListWebhooks.query, await searchParams)
  const { items, ...list } = ListWebhooks.response.parse(await listWebhooks(user.workspace_id, query))
  return (
    <>
      <PageHeader
        title="Webhooks"
        description="Your programs receive events as they happen: signed, at least once, retried for three days."
        actions={<CreateWebhook events={EVENT_CHOICES} create={createWebhook} />}
      />
      <PageBody>
        {list.total === 0 ? (
          <Panel>
            <EmptyState
              icon={<WebhookIcon />}
              title="No webhook"
              description="Send replies to your CRM, stop other tools when someone unsubscribes, or follow a campaign in your own dashboard."
            />
          </Panel>
        ) : (
          <WebhookTable
            webhooks={items}
            event_count={EVENT_TYPES.length}
            {...list}
            query={query}
            now={new Date().toISOString()}
          />
        )}
      </PageBody>
    </>
  )
}
