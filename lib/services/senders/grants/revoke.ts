import { z } from 'zod'
import { db } from '#lib/db/client'
import { unseal } from '#lib/db/seal'
import { MAIL_VENDORS, type MailOAuth, type MailVendor } from '#lib/providers/mail-oauth/port'
import { mailOAuth } from '#lib/services/senders/grants/vendors'

/**
 * What is to be called once a mailbox is gone: its vendor is told that nobody needs what it granted. A vendor without such a
 * call, or out of reach, keeps it until its owner removes the app there; nobody here has it any more.
 */
export async function prepareRevocation(
  workspaceId: string,
  mailboxId: string,
  vendors: (vendor: MailVendor) => MailOAuth | null = mailOAuth,
): Promise<() => Promise<void>> {
  const row = await db.mailboxGrant.findFirst({
    where: { mailbox_id: mailboxId, workspace_id: workspaceId },
  })
  const oauth = row && vendors(z.enum(MAIL_VENDORS).parse(row.vendor))
  const sealed = row?.refresh_token
  // What a whole organization allows is taken back there.
  if (!sealed || !oauth) return async () => undefined
  return async () => {
    try {
      await oauth.revoke(unseal(sealed, mailboxId))
    } catch {
      // Sealed under a key that is gone: nobody can tell the vendor which.
    }
  }
}
