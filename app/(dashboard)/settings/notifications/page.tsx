import type { Metadata } from 'next'
import { MessageList } from '#components/telling/message-list'
import { NotificationList } from '#components/telling/notification-list'
import { PreferenceForm } from '#components/telling/preference-form'
import { LiveRefresh } from '#components/ui/feedback/live-refresh'
import {
  ListNotificationMessages,
  ListNotifications,
  ReadNotificationPreferences,
} from '#lib/contracts/telling/notifications'
import { requireUser } from '#lib/http/session'
import { channels } from '#lib/services/telling/notification-channels'
import { readPreferences } from '#lib/services/telling/notification-preferences'
import { listMessages, listNotifications } from '#lib/services/telling/notifications'
import { workspaceTimezone } from '#lib/services/workspaces/users'
import { parseQuery } from '../../../page-input.ts'
import { markAllNotifications, savePreferences, sendTestMessage } from './actions.ts'

export const metadata: Metadata = { title: 'Notifications' }

const channelReach = (channel: { is_sandbox: boolean } | null) =>
  channel === null ? 'absent' : channel.is_sandbox ? 'sandbox' : 'real'

const NEWEST = { page: 1, page_size: 10 }

export default async function NotificationsPage({ searchParams }: PageProps<'/settings/notifications'>) {
  const user = await requireUser()
  const asked = parseQuery(ListNotifications.query, await searchParams)
  const [preferences, messages, notifications, unread, zone] = await Promise.all([
    readPreferences(user),
    listMessages(user, NEWEST),
    listNotifications(user, { ...asked, unread: 'false' }),
    listNotifications(user, { page: 1, page_size: 1, unread: 'true' }),
    workspaceTimezone(user.workspace_id),
  ])
  const { email, messaging } = channels()
  const sent = ListNotificationMessages.response.parse(messages).items
  const { items, ...pages } = ListNotifications.response.parse(notifications)
  const now = new Date().toISOString()
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-[minmax(0,26rem)_minmax(0,1fr)]">
        <PreferenceForm
          preferences={ReadNotificationPreferences.response.parse(preferences)}
          account_email={user.email}
          email={channelReach(email)}
          messaging={channelReach(messaging)}
          save={savePreferences}
        />
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <NotificationList
            notifications={items}
            {...pages}
            unread={unread.total}
            now={now}
            zone={zone}
            markAll={markAllNotifications}
          />
          <MessageList messages={sent} now={now} test={sendTestMessage} />
        </div>
      </div>
      <LiveRefresh
        every_seconds={3}
        active={sent.some(({ status }) => status === 'queued' || status === 'sending')}
      />
    </>
  )
}
