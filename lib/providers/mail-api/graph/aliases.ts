import { z } from 'zod'
import { type AliasReader, OTHER_FORM } from '#lib/providers/mail-api/aliases'
import { graphAsker } from '#lib/providers/mail-api/graph/ask'
import { graphFault } from '#lib/providers/mail-api/graph/faults'
import type { MailApiOptions } from '#lib/providers/mail-api/http'
import { isDone } from '#lib/providers/mail-api/outcome'

const User = z.object({ proxyAddresses: z.array(z.string()).nullish() })
/** `SMTP:` is the main address, `smtp:` each of the others; other entries are not mail addresses. */
const MAIL = /^smtp:/i

const NOT_NAMED = 'Microsoft lists no addresses for this mailbox.'
const NOT_ALLOWED =
  'Microsoft does not let Opener read the addresses of this mailbox. The app needs the permission User.Read, or User.Read.All without a signed-in user.'

/**
 * `proxyAddresses` of the user. This needs a permission that mail does not: an owner who has not granted it is not asked to, and
 * enters the addresses by hand.
 */
export const createGraphAliases =
  (options: MailApiOptions): AliasReader =>
  async (mailbox) => {
    const ask = graphAsker(options, mailbox)
    const answer = await ask({ path: '', query: { $select: 'proxyAddresses' } })
    if (answer.status === 403) return { ok: false, passes: false, error: NOT_ALLOWED }
    if (!isDone(answer))
      return { ok: false, passes: true, error: graphFault(answer, mailbox.access_token).said }
    const read = User.safeParse(answer.body)
    if (!read.success) return OTHER_FORM
    const named = (read.data.proxyAddresses ?? []).filter((one) => MAIL.test(one))
    if (named.length === 0) return { ok: false, passes: false, error: NOT_NAMED }
    return { ok: true, aliases: named.map((one) => one.replace(MAIL, '')) }
  }
