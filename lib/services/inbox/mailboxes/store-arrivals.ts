import type { Pool } from 'pg'
import { jsonText } from '#lib/db/json-text'
import { asRecord } from '#lib/domain/text/record'
import { countApart } from '#lib/metrics'
import type { FetchedMail } from '#lib/providers/inbox/port'
import type { InboundMailbox } from '#lib/services/inbox/arrived-mail'
import { handleTogether } from '#lib/services/inbox/handle-mail'
import { placeKey } from '#lib/services/inbox/keep-mail'
import { handleSent } from '#lib/services/inbox/sent/handle-sent'
import type { MailReader } from '#lib/services/reading/mail'

/**
 * Stores a batch of mails in one transaction. If that fails for any reason, stores them one by one: then a mail that cannot be
 * stored only blocks those behind it, and those before it are kept.
 */
export async function storeArrivals(
  pool: Pool,
  mailbox: InboundMailbox,
  fetched: readonly FetchedMail[],
  now: Date,
  reader: MailReader | undefined,
): Promise<void> {
  const mails = fetched.map((mail) => ({ ...mail, received_at: believable(mail.received_at, now) }))
  if (mails.length > 1 && !mails.some(({ is_sent }) => is_sent)) {
    const isDone = await handleTogether(pool, mailbox, mails, now, reader).then(
      () => true,
      // The error will occur again below, at the mail that causes it.
      () => false,
    )
    if (isDone) return
    countApart(mails.length)
  }
  for (const mail of mails) await takeOne(pool, mailbox, mail, now, reader)
}

/**
 * The arrival time given by a server, unless it cannot be right. A time in the future would be taken for the
 * point up to which the folder was read, so it becomes now; so does a time before 1970 or an invalid one.
 */
function believable(said: Date, now: Date): Date {
  const at = said.getTime()
  return at >= 0 && at <= now.getTime() ? said : now
}

/** A mail that Postgres can never store must not block those behind it: it is kept as unreadable. */
async function takeOne(
  pool: Pool,
  mailbox: InboundMailbox,
  mail: FetchedMail,
  now: Date,
  reader: MailReader | undefined,
): Promise<void> {
  try {
    if (mail.is_sent) await handleSent(pool, mailbox, mail, now, reader)
    else await handleTogether(pool, mailbox, [mail], now, reader)
  } catch (error) {
    // SQLSTATE class 22 is data that can never be stored; any other error may pass.
    if (!/^22/.test(String(asRecord(error).code ?? ''))) throw error
    if (mail.is_sent) return
    await pool.query(
      `INSERT INTO inbound_messages (workspace_id, mailbox_id, folder, uid_validity, uid, message_key, kind, evidence,
         size_bytes, raw, received_at)
       VALUES ($1, $2, $3, $4, $5, $6, 'unrelated', $7, $8, $9, $10) ON CONFLICT DO NOTHING`,
      [
        mailbox.workspace_id,
        mailbox.mailbox_id,
        mail.folder,
        mail.uid_validity,
        mail.uid,
        placeKey(mail),
        jsonText([{ rule: 'could_not_be_stored', found: '' }]),
        mail.size_bytes,
        null,
        mail.received_at,
      ],
    )
  }
}
