import { z } from 'zod'
import { graphFault } from '#lib/providers/mail-api/graph/faults'
import { type ApiCall, askApi, type MailApiOptions } from '#lib/providers/mail-api/http'
import { isDone, Refused, refusedReading } from '#lib/providers/mail-api/outcome'
import type { MailWatcher, WatchedMailbox, WatchOutcome } from '#lib/providers/mail-api/watching'

const PATH = '/v1.0/subscriptions'
/** A mail subscription may last seven days, and less than three in some clouds. */
const LASTS_MS = 4_200 * 60_000

const Subscription = z.object({ id: z.string().max(200), expirationDateTime: z.string() })

/** Subscribes to new mail in the inbox. Graph validates `notify_url` with a request at once. */
export function createGraphWatcher(options: MailApiOptions & { notify_url: string }): MailWatcher {
  const { notify_url, clock = () => new Date() } = options
  const ask = async ({ access_token }: WatchedMailbox, call: ApiCall): Promise<WatchOutcome | null> => {
    const answer = await askApi(options, access_token, call)
    if (answer.status === 404) return null
    if (!isDone(answer)) return refusedReading(new Refused(graphFault(answer, access_token)))
    const made = Subscription.safeParse(answer.body)
    const expires_at = new Date(made.data?.expirationDateTime ?? '')
    if (!made.success || Number.isNaN(expires_at.getTime()))
      return { ok: false, reason: 'lost', error: 'Graph answered in another form than it documents.' }
    return { ok: true, subscription_id: made.data.id, expires_at }
  }
  return {
    async keep(mailbox, { subscription_id, secret }) {
      const expirationDateTime = new Date(clock().getTime() + LASTS_MS).toISOString()
      const known =
        subscription_id &&
        (await ask(mailbox, {
          method: 'PATCH',
          path: `${PATH}/${encodeURIComponent(subscription_id)}`,
          body: { expirationDateTime },
        }))
      // If Graph no longer knows the subscription, a new one is created.
      if (known) return known
      const whose = mailbox.api_user ? `users/${encodeURIComponent(mailbox.api_user)}` : 'me'
      const body = {
        changeType: 'created',
        notificationUrl: notify_url,
        lifecycleNotificationUrl: notify_url,
        resource: `${whose}/mailFolders('inbox')/messages`,
        expirationDateTime,
        clientState: secret,
      }
      const made = await ask(mailbox, { method: 'POST', path: PATH, body })
      return made ?? { ok: false, reason: 'folder', error: 'Graph does not know the mailbox.' }
    },
    async end({ access_token }, subscriptionId) {
      if (!subscriptionId) return
      const path = `${PATH}/${encodeURIComponent(subscriptionId)}`
      await askApi(options, access_token, { method: 'DELETE', path })
    },
  }
}
