import { z } from 'zod'
import { db } from '#lib/db/client'
import { unseal } from '#lib/db/seal'
import { MAIL_VENDORS, type MailOAuth, type MailVendor } from '#lib/providers/mail-oauth/port'
import { mailOAuth } from '#lib/services/senders/grants/vendors'

/**
 * Prepares a function to call once the mailbox is deleted, which revokes its grant at the vendor. If the vendor has no such call or is
 * unreachable, the grant remains there until its owner removes the app, but nobody here has it any more.
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
  // Access of a whole organization is revoked at the vendor.
  if (!sealed || !oauth) return async () => undefined
  return async () => {
    try {
      await oauth.revoke(unseal(sealed, mailboxId))
    } catch {
      // The token is sealed under a lost key, so it cannot be revoked.
    }
  }
}
