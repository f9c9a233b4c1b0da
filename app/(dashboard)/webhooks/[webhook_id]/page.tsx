import { FlaskConical, Trash2 } from 'lucide-react'
import type { Metadata } from 'next'
import { DeliveryDetail } from '#components/telling/delivery-detail'
import { DeliveryDrawer } from '#components/telling/delivery-drawer'
import { DeliveryTable } from '#components/telling/delivery-table'
import { EditWebhook } from '#components/telling/edit-webhook'
import { RotateSecret } from '#components/telling/rotate-secret'
import { DISABLED_BECAUSE, WebhookStatus } from '#components/telling/webhook-status'
import { ActionButton } from '#components/ui/controls/action-button'
import { Callout } from '#components/ui/feedback/callout'
import { LiveRefresh } from '#components/ui/feedback/live-refresh'
import { Breadcrumbs } from '#components/ui/layout/breadcrumbs'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { queryHref } from '#components/ui/query-href'
import { ZonedTime } from '#components/ui/zoned-time'
import { id } from '#lib/contracts/fields'
import { EVENT_TYPES } from '#lib/contracts/telling/webhook-events'
import {
  ListWebhookDeliveries,
  ReadWebhook,
  ReadWebhookDelivery,
  type Webhook,
} from '#lib/contracts/telling/webhooks'
import { requireUser } from '#lib/http/session'
import { getWebhookDelivery, listWebhookDeliveries } from '#lib/services/telling/webhook-deliveries'
import { getWebhook } from '#lib/services/telling/webhooks'
import { workspaceTimezone } from '#lib/services/workspaces/users'
import { orNotFound, parseParams, parseQuery } from '../../../page-input.ts'
import {
  deleteWebhook,
  redeliver,
  rotateSecret,
  switchWebhook,
  testWebhook,
  updateWebhook,
} from '../actions.ts'
import { EVENT_CHOICES } from '../choices.ts'

export const metadata: Metadata = { title: 'Webhook' }

/** `delivery` is the one opened beside the list. */
const Query = ListWebhookDeliveries.query.extend({ delivery: id().optional() })

export default async function WebhookPage({ params, searchParams }: PageProps<'/webhooks/[webhook_id]'>) {
  const user = await requireUser(ReadWebhook)
  const { webhook_id } = parseParams(ReadWebhook.params, await params)
  const { delivery, ...query } = parseQuery(Query, await searchParams)
  const webhook = ReadWebhook.response.parse(await orNotFound(getWebhook(user.workspace_id, webhook_id)))
  const { items, ...list } = ListWebhookDeliveries.response.parse(
    await listWebhookDeliveries(user.workspace_id, webhook_id, query),
  )
  const open =
    delivery &&
    ReadWebhookDelivery.response.parse(
      await orNotFound(getWebhookDelivery(user.workspace_id, { webhook_id, delivery_id: delivery })),
    )
  const zone = await workspaceTimezone(user.workspace_id)
  const path = `/webhooks/${webhook_id}`
  return (
    <>
      <PageHeader
        above={<Breadcrumbs items={[{ href: '/webhooks', label: 'Webhooks' }]} />}
        title={webhook.url}
        status={<WebhookStatus webhook={webhook} />}
        description={<About webhook={webhook} />}
        actions={<Acts webhook={webhook} />}
      />
      <PageBody>
        <State webhook={webhook} zone={zone} />
        <DeliveryTable
          path={path}
          deliveries={items}
          {...list}
          query={query}
          now={new Date().toISOString()}
        />
        <LiveRefresh
          every_seconds={5}
          active={items.some(({ status }) => status === 'pending')}
          watch="webhooks"
        />
      </PageBody>
      {open && (
        <DeliveryDrawer title={open.event_type} closeHref={queryHref(path, query, { page: query.page })}>
          <DeliveryDetail
            delivery={open}
            zone={zone}
            isEnabled={webhook.enabled}
            redeliver={redeliver.bind(null, webhook_id, open.delivery_id)}
          />
        </DeliveryDrawer>
      )}
    </>
  )
}

/** The webhook's description and events. */
function About({ webhook: { description, event_types } }: { webhook: Webhook }) {
  const heard =
    event_types.length === EVENT_TYPES.length ? 'Receives every event' : `Receives ${event_types.join(', ')}`
  return (
    <span className="wrap-anywhere">
      {description && `${description} · `}
      {heard}
    </span>
  )
}

/** The main action comes first; deleting, which cannot be undone, stands apart at the end. */
function Acts({ webhook }: { webhook: Webhook }) {
  const { webhook_id, enabled, url } = webhook
  return (
    <>
      <ActionButton
        act={enabled ? testWebhook.bind(null, webhook_id) : switchWebhook.bind(null, webhook_id, true)}
        variant="primary"
      >
        {enabled ? (
          <>
            <FlaskConical aria-hidden /> Send a test
          </>
        ) : (
          'Enable'
        )}
      </ActionButton>
      <EditWebhook webhook={webhook} events={EVENT_CHOICES} save={updateWebhook.bind(null, webhook_id)} />
      <RotateSecret url={url} rotate={rotateSecret.bind(null, webhook_id)} />
      {enabled && <ActionButton act={switchWebhook.bind(null, webhook_id, false)}>Disable</ActionButton>}
      <div className="sm:ml-2 sm:border-l sm:border-border sm:pl-4">
        <ActionButton
          act={deleteWebhook.bind(null, webhook_id)}
          variant="ghost"
          confirm={{
            title: `Delete the webhook to ${url}?`,
            description: 'It receives no more events, and its delivery history is deleted.',
            label: 'Delete webhook',
            danger: true,
          }}
        >
          <Trash2 aria-hidden /> Delete
        </ActionButton>
      </div>
    </>
  )
}

function State({ webhook, zone }: { webhook: Webhook; zone: string }) {
  const { enabled, disabled_reason, failing_since, previous_secret_until } = webhook
  const isOverlapping = previous_secret_until && Date.parse(previous_secret_until) > Date.now()
  return (
    <>
      {!enabled && disabled_reason && (
        <Callout tone="warning" title="This webhook is disabled">
          {DISABLED_BECAUSE[disabled_reason]} Waiting deliveries continue once you enable it.
        </Callout>
      )}
      {enabled && failing_since && (
        <Callout tone="danger" title="Deliveries are failing">
          Since <ZonedTime at={failing_since} zone={zone} /> ({zone}). After five days the webhook is disabled
          and you are notified.
        </Callout>
      )}
      {isOverlapping && (
        <Callout>
          Two secrets sign until <ZonedTime at={previous_secret_until} zone={zone} /> ({zone}): the new one,
          which ends in <code className="font-mono text-xs">{webhook.secret_hint}</code>, and the one before.
        </Callout>
      )}
    </>
  )
}
