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
 * Takes in what was read together. Where that fails for whatever reason, one mail after the other: so one that cannot be taken in
 * holds up those behind it alone, and those before it are kept.
 */
export async function storeArrivals(
  pool: Pool,
  mailbox: InboundMailbox,
  mails: readonly FetchedMail[],
  now: Date,
  reader: MailReader | undefined,
): Promise<void> {
  if (mails.length > 1 && !mails.some(({ is_sent }) => is_sent)) {
    const isDone = await handleTogether(pool, mailbox, mails, now, reader).then(
      () => true,
      // What is wrong shows again with the mail that it is about.
      () => false,
    )
    if (isDone) return
    countApart(mails.length)
  }
  for (const mail of mails) await takeOne(pool, mailbox, mail, now, reader)
}

/** A mail that the database will never take must not hold up those behind it: it is kept as what it is, unread. */
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
    // Class 22 of SQLSTATE: data that cannot be stored. Everything else may pass.
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
