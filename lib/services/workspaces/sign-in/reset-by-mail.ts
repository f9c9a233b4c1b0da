import { db } from '#lib/db/client'
import { networkPlace } from '#lib/domain/text/network-place'
import { env } from '#lib/env'
import { takeToken } from '#lib/services/instance/rate-limits'
import { sendAccountMail } from '#lib/services/telling/account-mail'
import { isShut } from '#lib/services/workspaces/sign-in/demo-account'
import { passwordLink } from '#lib/services/workspaces/sign-in/passwords'
import { takeTry } from '#lib/services/workspaces/sign-in/tries'

/** Mails requested per minute from one place. */
const ASKED_OF_PLACE = 5
/** Pause between two mails to one address, so that resets cannot be used to flood a mailbox. */
const PAUSE_MS = 10 * 60_000

/** Refuses callers who ask too often; reveals nothing about the address. */
export async function admitResetAsk(place: string, now: Date): Promise<void> {
  await takeTry(`reset-place:${networkPlace(place).network}`, ASKED_OF_PLACE, now)
}

const signature = () => `\n\nOpener, ${new URL(env().APP_URL).host}\n`

const resetText = (url: string, isVerified: boolean) =>
  `Somebody, hopefully you, requested a new password for this address.

Set it here, within an hour:
${url}

The link works once. Setting a new password signs out every browser${
    isVerified
      ? '; API keys keep working.'
      : `.
As it shows for the first time that this address is yours, it also removes the account's passkeys, identity providers, authenticator app and API
keys, and revokes its invitations. In a browser that the account was never opened from, it also removes the people it invited from its workspaces.`
  }

If it was not you, do nothing: the password stays as it is, and nobody else has this link.${signature()}`

const providerText = () =>
  `Somebody, hopefully you, requested a new password for this address.

Your account has no password: it uses an identity provider, such as your organisation's. Choose it on the sign-in page:
${new URL('/sign-in', env().APP_URL).href}

If you cannot sign in there, ask whoever runs it. If it was not you, ignore this email.${signature()}`

/**
 * Mails the link if the address has an account. Call it after responding, because it takes longer for addresses that do. Returns what
 * to log.
 */
export async function mailReset(email: string, now: Date): Promise<{ user_id: string | null; said: string }> {
  const address = email.trim().toLowerCase()
  const user = await db.user.findUnique({ where: { email: address }, include: { identities: true } })
  if (!user || isShut(user) || address.endsWith('@identity.invalid'))
    return { user_id: null, said: 'no account' }
  const { user_id } = user
  // Of two concurrent requests, one goes on.
  if ((await takeToken(`reset:${address}`, 1, now)) < 0 || (await wasMailed(user_id, now)))
    return { user_id, said: 'mailed a while ago' }
  const isProvidersOnly = user.password_hash === null && user.identities.length > 0
  // Created even if the mail does not contain it: it records when this address was last mailed.
  const link = await passwordLink(user_id, now, true)
  const text = isProvidersOnly ? providerText() : resetText(link.url, user.email_verified_at !== null)
  const trouble = await sendAccountMail(address, { subject: 'Set a new password for Opener', text }, now)
  return { user_id, said: trouble ?? 'mailed' }
}

async function wasMailed(userId: string, now: Date): Promise<boolean> {
  const since = new Date(now.getTime() - PAUSE_MS)
  const link = await db.oneTimeLink.findFirst({
    where: { user_id: userId, purpose: 'password', used_at: null, created_at: { gt: since } },
  })
  return link !== null
}
