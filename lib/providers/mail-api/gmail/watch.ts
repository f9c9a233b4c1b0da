import { z } from 'zod'
import { gmailFault } from '#lib/providers/mail-api/gmail/faults'
import { GMAIL_ROOT } from '#lib/providers/mail-api/gmail/upload'
import { askApi, type MailApiOptions } from '#lib/providers/mail-api/http'
import { isDone, Refused, refusedReading } from '#lib/providers/mail-api/outcome'
import type { MailWatcher, WatchedMailbox } from '#lib/providers/mail-api/watching'

const Watched = z.object({ expiration: z.string().regex(/^\d{1,15}$/) })

/** `users.watch`: Gmail notifies a Pub/Sub topic for seven days; calling it again extends that. */
export function createGmailWatcher(options: MailApiOptions & { topic: string }): MailWatcher {
  const { topic, clock = () => new Date() } = options
  const ask = ({ access_token }: WatchedMailbox, path: string, body: object) =>
    askApi(options, access_token, { method: 'POST', path: `${GMAIL_ROOT}${path}`, body })
  return {
    async keep(mailbox) {
      const wanted = { topicName: topic, labelIds: ['INBOX', 'SPAM'], labelFilterBehavior: 'INCLUDE' }
      const answer = await ask(mailbox, '/watch', wanted)
      if (!isDone(answer))
        return refusedReading(new Refused(gmailFault(answer, mailbox.access_token, clock())))
      const watched = Watched.safeParse(answer.body)
      if (!watched.success)
        return { ok: false, reason: 'lost', error: 'Gmail answered in another form than it documents.' }
      return { ok: true, subscription_id: null, expires_at: new Date(Number(watched.data.expiration)) }
    },
    async end(mailbox) {
      await ask(mailbox, '/stop', {})
    },
  }
}
