import type { z } from 'zod'
import type { FirstAccount } from '#lib/contracts/workspaces/sign-in'
import { db } from '#lib/db/client'
import { AppError } from '#lib/errors'
import { isLocalOnly } from '#lib/services/instance/network-exposure'
import { recordOutside } from '#lib/services/workspaces/audit'
import { makeUser } from '#lib/services/workspaces/new-user'
import { DEMO } from '#lib/services/workspaces/sign-in/demo-account'
import { identityProviders } from '#lib/services/workspaces/sign-in/identity-providers'
import { hashOfChosen } from '#lib/services/workspaces/sign-in/new-password'
import { makeLink, useLink } from '#lib/services/workspaces/sign-in/one-time-links'

/** Whether anybody can sign in: the demo account does not count, nor an account without a sign-in method. */
async function hasPeople(tx: Pick<typeof db, 'user'> = db): Promise<boolean> {
  const person = await tx.user.findFirst({
    where: {
      email: { not: DEMO.email },
      OR: [{ password_hash: { not: null } }, { identities: { some: {} } }],
    },
  })
  return person !== null
}

/**
 * The link for creating the first account, printed where the instance is started. Null if people can sign in already: by an account,
 * an identity provider, or the demo account of an instance reachable only from its own machine.
 */
export async function firstAccountLink(now: Date) {
  const hasProvider = identityProviders().some(({ makes_accounts }) => makes_accounts)
  if (isLocalOnly() || hasProvider || (await hasPeople())) return null
  return makeLink({ purpose: 'first_account', user_id: null }, now)
}

/** Whether the demo account has data that its owner may want to keep. */
export async function demoHoldsWork(): Promise<boolean> {
  const workspace = {
    members: { some: { user: { email: DEMO.email } } },
    OR: [{ campaigns: { some: {} } }, { datasets: { some: {} } }, { mailboxes: { some: {} } }],
  }
  return (await db.workspace.count({ where: workspace })) > 0
}

type Fields = z.output<typeof FirstAccount>

/**
 * Creates the first account and uses the link up. With `keep_demo` the demo account gets the new name and password and keeps its data;
 * sessions and keys made under the published password end.
 */
export async function makeFirstAccount(token: string, fields: Fields, now: Date) {
  const email = fields.email.toLowerCase()
  if (email === DEMO.email)
    throw new AppError('conflict', { message: 'That is the demo account’s address. Use your own.' })
  const password_hash = await hashOfChosen(fields.password, email)
  const data = { email, name: fields.name, password_hash, email_verified_at: now }
  const made = await db.$transaction(async (tx) => {
    await useLink(tx, 'first_account', token, now)
    const demo = fields.keep_demo ? await tx.user.findUnique({ where: { email: DEMO.email } }) : null
    const there = await tx.user.findUnique({ where: { email } })
    if ((await hasPeople(tx)) || (demo && there))
      throw new AppError('conflict', { message: 'There is already an account. Sign in with it.' })
    if (!demo) return (await makeUser(data, tx)) ?? tx.user.update({ where: { email }, data })
    const { user_id } = demo
    await tx.userSession.updateMany({ where: { user_id, revoked_at: null }, data: { revoked_at: now } })
    await tx.apiKey.updateMany({ where: { user_id, revoked_at: null }, data: { revoked_at: now } })
    return tx.user.update({ where: { user_id }, data })
  })
  await recordOutside(made.user_id, 'makeFirstAccount', now)
  return made
}
