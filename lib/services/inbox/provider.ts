import { env } from '#lib/env'
import { createImapProvider } from '#lib/providers/inbox/imap'
import type { InboxProvider } from '#lib/providers/inbox/port'

/** The IMAP driver, under the policy that says which hosts users may have us connect to. */
export function inboxProvider(): InboxProvider {
  return createImapProvider({ policy: { allow_private_hosts: env().ALLOW_PRIVATE_HOSTS } })
}
