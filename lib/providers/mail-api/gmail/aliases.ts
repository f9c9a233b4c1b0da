import { z } from 'zod'
import { type AliasReader, OTHER_FORM } from '#lib/providers/mail-api/aliases'
import { gmailFault } from '#lib/providers/mail-api/gmail/faults'
import { GMAIL_ROOT } from '#lib/providers/mail-api/gmail/upload'
import { askApi, type MailApiOptions } from '#lib/providers/mail-api/http'
import { isDone } from '#lib/providers/mail-api/outcome'

const SendAs = z.object({
  sendAs: z.array(
    z.object({
      sendAsEmail: z.string(),
      isPrimary: z.boolean().optional(),
      verificationStatus: z.string().optional(),
    }),
  ),
})

/** Faults that only the owner can resolve; any other is temporary. */
const LASTING = new Set(['scope', 'policy', 'client'])

/**
 * `users.settings.sendAs.list`, which both of Google's mail scopes allow. Unconfirmed addresses are left out: Gmail would
 * replace them by the mailbox's own. The account's own aliases have no status.
 */
export const createGmailAliases =
  (options: MailApiOptions): AliasReader =>
  async ({ access_token }) => {
    const answer = await askApi(options, access_token, { path: `${GMAIL_ROOT}/settings/sendAs` })
    if (!isDone(answer)) {
      const { kind, said } = gmailFault(answer, access_token, options.clock?.() ?? new Date())
      return { ok: false, passes: !LASTING.has(kind), error: said }
    }
    const read = SendAs.safeParse(answer.body)
    if (!read.success) return OTHER_FORM
    const usable = read.data.sendAs.filter(
      ({ isPrimary, verificationStatus }) => isPrimary || (verificationStatus ?? 'accepted') === 'accepted',
    )
    return { ok: true, aliases: usable.map(({ sendAsEmail }) => sendAsEmail) }
  }
