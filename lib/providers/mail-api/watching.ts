import type { InboxFailure } from '#lib/providers/inbox/port'

/** A mailbox that goes over an API, by its token. */
export type WatchedMailbox = { access_token: string; api_user: string | null }

export type Watch = { subscription_id: string | null; expires_at: Date }
export type WatchOutcome = ({ ok: true } & Watch) | { ok: false; reason: InboxFailure; error: string }

/** Has a vendor tell of new mail. What it tells is that there is some, and nothing of it. */
export type MailWatcher = {
  /** Makes one, or has the known one last longer. `secret` comes with all that it tells, where the vendor does not sign. */
  keep(
    mailbox: WatchedMailbox,
    known: { subscription_id: string | null; secret: string },
  ): Promise<WatchOutcome>
  /** A vendor out of reach ends it by itself after days. */
  end(mailbox: WatchedMailbox, subscriptionId: string | null): Promise<void>
}
