import type { InboxFailure } from '#lib/providers/inbox/port'

/** A mailbox that uses an API, with its token. */
export type WatchedMailbox = { access_token: string; api_user: string | null }

export type Watch = { subscription_id: string | null; expires_at: Date }
export type WatchOutcome = ({ ok: true } & Watch) | { ok: false; reason: InboxFailure; error: string }

/** Subscribes to a vendor's notifications of new mail. A notification says that there is new mail, and nothing of its content. */
export type MailWatcher = {
  /** Creates a subscription, or extends the known one. `secret` is part of every notification if the vendor does not sign them. */
  keep(
    mailbox: WatchedMailbox,
    known: { subscription_id: string | null; secret: string },
  ): Promise<WatchOutcome>
  /** Without this call, for example if the vendor is unreachable, the subscription expires after days. */
  end(mailbox: WatchedMailbox, subscriptionId: string | null): Promise<void>
}
