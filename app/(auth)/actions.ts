'use server'

import { redirect } from 'next/navigation'
import { after } from 'next/server'
import type { FormResult } from '#components/ui/controls/action-form'
import {
  AskForReset,
  FirstAccount,
  NewPassword,
  SignIn,
  SignUp,
  safeReturnPath,
} from '#lib/contracts/workspaces/sign-in'
import { AppError } from '#lib/errors'
import { log } from '#lib/http/log'
import { endSession, placeOfRequest } from '#lib/http/session'
import { readBrowser } from '#lib/http/sign-in/device'
import { enterByPassword } from '#lib/http/sign-in/password-door'
import { signInBrowser, type Way } from '#lib/http/sign-in/sign-in-browser'
import { equipAccount } from '#lib/services/sandbox/new-account'
import { canMailPeople } from '#lib/services/telling/account-mail'
import * as service from '#lib/services/workspaces/sign-in/by-password'
import * as firstAccount from '#lib/services/workspaces/sign-in/first-account'
import { disownSignIn } from '#lib/services/workspaces/sign-in/new-device'
import * as passwords from '#lib/services/workspaces/sign-in/passwords'
import * as resets from '#lib/services/workspaces/sign-in/reset-by-mail'
import { formResult } from '../form-result.ts'

const refused = (message: string, fields?: Record<string, string>): FormResult =>
  fields ? { ok: false, message, fields } : { ok: false, message }

const goOn = (data: FormData): never => redirect(safeReturnPath(data.get('return_path')) ?? '/home')

export async function signIn(_: FormResult | null, data: FormData): Promise<FormResult> {
  const fields = SignIn.safeParse(Object.fromEntries(data))
  if (!fields.success) return refused('Enter your email address and your password.')
  return entered(
    data,
    'password',
    () => enterByPassword(fields.data),
    refused('The email address or the password is wrong.'),
  )
}

export async function signUp(_: FormResult | null, data: FormData): Promise<FormResult> {
  return entered(
    data,
    'sign_up',
    async () => {
      const fields = SignUp.parse(Object.fromEntries(data))
      return equipped(await service.signUp(fields, await placeOfRequest(), new Date()), fields.timezone)
    },
    refused('This address already has an account.', { email: 'Sign in instead.' }),
  )
}

export async function makeFirstAccount(
  token: string,
  _: FormResult | null,
  data: FormData,
): Promise<FormResult> {
  return entered(data, 'link', async () => {
    const fields = FirstAccount.parse(Object.fromEntries(data))
    return equipped(await firstAccount.makeFirstAccount(token, fields, new Date()), fields.timezone)
  })
}

export async function resetPassword(
  token: string,
  _: FormResult | null,
  data: FormData,
): Promise<FormResult> {
  return entered(data, 'link', async () => {
    const { password } = NewPassword.parse(Object.fromEntries(data))
    return passwords.resetPassword(token, password, new Date(), await readBrowser())
  })
}

const codePath = (back: string | null) =>
  back ? `/sign-in/code?${new URLSearchParams({ return_path: back })}` : '/sign-in/code'
/** The same answer, in the same time, whether or not the account exists. */
export async function askForReset(_: FormResult | null, data: FormData): Promise<FormResult> {
  const result = await formResult(async () => {
    if (!canMailPeople())
      throw new AppError('forbidden', { message: 'This instance cannot send account emails.' })
    const { email } = AskForReset.parse(Object.fromEntries(data))
    const now = new Date()
    const place = await placeOfRequest()
    await resets.admitResetAsk(place, now)
    after(async () => {
      const { user_id, said } = await resets.mailReset(email, now).catch((error: unknown) => {
        log().error({ err: error }, 'a link for a new password was not mailed')
        return { user_id: null, said: 'failed' }
      })
      log().info({ place, user_id, outcome: said }, 'a new password was asked for')
    })
    return undefined
  })
  if (!result.ok) return result.fields ? refused('Check the marked fields.', result.fields) : result
  redirect('/forgot-password?sent')
}

/** For people notified by email of a sign-in that was not theirs. */
export async function disown(token: string, _: FormResult | null, __: FormData): Promise<FormResult> {
  let next: string | null = null
  const result = await formResult(async () => {
    next = await disownSignIn(token, new Date(), await readBrowser())
    return undefined
  })
  if (!result.ok) return result
  redirect(next ?? '/not-me/done')
}

type User = { user_id: string; email: string; name: string; password_hash: string | null }

async function equipped<T extends User | null>(user: T, timezone: string | undefined): Promise<T> {
  if (user) await equipAccount(user, timezone, new Date())
  return user
}

/**
 * Signs in the account that `find` returns and opens the page that was requested; shows `otherwise` if there
 * is none.
 */
async function entered(
  data: FormData,
  way: Exclude<Way, 'provider'>,
  find: () => Promise<User | null>,
  otherwise: FormResult = refused('Something went wrong.'),
): Promise<FormResult> {
  let user: User | null = null
  let owesCode = false
  const result = await formResult(async () => {
    user = await find()
    if (user) owesCode = (await signInBrowser(user, way)) === 'owes_code'
    return undefined
  })
  if (!result.ok) return result.fields ? refused('Check the marked fields.', result.fields) : result
  if (owesCode) redirect(codePath(safeReturnPath(data.get('return_path'))))
  return user ? goOn(data) : otherwise
}

export async function signOut(): Promise<void> {
  await endSession()
  redirect('/sign-in')
}
