import { db } from '#lib/db/client'
import type { SignInMethod } from '#lib/db/generated/enums'
import { deviceName } from '#lib/domain/workspaces/device-name'
import { env } from '#lib/env'
import { AppError } from '#lib/errors'
import { mayMail } from '#lib/services/instance/rate-limits'
import { canMailPeople, sendAccountMail } from '#lib/services/telling/account-mail'
import { recordOutside } from '#lib/services/workspaces/audit'
import { endAccess, verifyAddressFrom } from '#lib/services/workspaces/sign-in/address-owner'
import { makeLink, useLink } from '#lib/services/workspaces/sign-in/one-time-links'
import { passwordLink } from '#lib/services/workspaces/sign-in/passwords'
import { signInMethods } from '#lib/services/workspaces/sign-in/sign-in-methods'
import type { Browser } from '#lib/services/workspaces/sign-in/sign-ins'
import { homeTimezone } from '#lib/services/workspaces/users'

/** Limit per address and hour: anybody with the password can sign in from new devices as often as they like. */
const MAILS_AN_HOUR = 5

/** How somebody signed in, in words. */
const WAYS: Record<SignInMethod, string> = {
  password: 'password',
  passkey: 'passkey',
  google: 'Google',
  microsoft: 'Microsoft',
  oidc: 'identity provider',
  sign_up: 'new account',
  link: 'link in a mail, or from whoever runs Opener',
}

type Row = { at: Date; method: SignInMethod; user_agent: string | null; place: string | null }

function mailText(email: string, zone: string, { at, method, user_agent, place }: Row, url: string): string {
  const when = new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: zone,
  }).format(at)
  return `Your account ${email} was signed in to from a new device.

When: ${when} (${zone})
How: ${WAYS[method]}
Device: ${deviceName(user_agent)}
Network: ${place ?? 'not known'}

If it was you, there is nothing to do.

If it was not you, stop it here within a week:
${url}
This signs out every browser, removes anything added to the account since then, and lets you set a new password.

Opener, ${new URL(env().APP_URL).host}
`
}

/** Mails an account's owner about a sign-in from a new device. Returns what to log. */
export async function mailNewDevice(signInId: string, now: Date): Promise<string> {
  if (!canMailPeople()) return 'no mail'
  const row = await db.signIn.findUniqueOrThrow({ where: { sign_in_id: signInId }, include: { user: true } })
  const { user_id, email } = row.user
  if (email.endsWith('@identity.invalid')) return 'no address'
  if (!(await mayMail('new-device', email, MAILS_AN_HOUR, now))) return 'mailed often enough'
  // Dated by the sign-in, not by this mail: the link removes everything added since then.
  const { url } = await makeLink({ purpose: 'not_me', user_id, mailed: true }, row.at)
  const timezone = await homeTimezone(user_id)
  const subject = `New sign-in to Opener: ${deviceName(row.user_agent)}`
  return (
    (await sendAccountMail(email, { subject, text: mailText(email, timezone, row, url) }, now)) ?? 'mailed'
  )
}

/**
 * "This wasn't me": signs every browser out and removes everything added since the sign-in. Returns the link for a new password, or
 * null if the account has no password but another sign-in method, which then has to be secured at its provider.
 */
export async function disownSignIn(
  token: string,
  now: Date,
  browser: Browser | null = null,
): Promise<string | null> {
  const user_id = await db.$transaction(async (tx) => {
    const { user_id, created_at } = await useLink(tx, 'not_me', token, now)
    if (!user_id) throw new AppError('grant_invalid')
    await verifyAddressFrom(tx, user_id, browser, now)
    await endAccess(tx, user_id, now, created_at)
    return user_id
  })
  await recordOutside(user_id, 'disownSignIn', now)
  const { password, passkeys, identities } = await signInMethods(db, user_id)
  return password > 0 || passkeys + identities === 0 ? (await passwordLink(user_id, now, true)).url : null
}
