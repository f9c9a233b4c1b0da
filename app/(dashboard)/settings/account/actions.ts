'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import type { FormResult } from '#components/ui/controls/action-form'
import { ChangePassword, UpdateAccount } from '#lib/contracts/workspaces/account'
import { EraseAccount } from '#lib/contracts/workspaces/erasure'
import { RevokeSession } from '#lib/contracts/workspaces/sessions'
import { AppError } from '#lib/errors'
import { endSession, requireUser } from '#lib/http/session'
import { updateAccount } from '#lib/services/workspaces/account'
import { eraseAccount } from '#lib/services/workspaces/erasure'
import * as passwords from '#lib/services/workspaces/passwords'
import * as sessions from '#lib/services/workspaces/sessions'
import { formResult, textOf, versionOf } from '../../../form-result.ts'
import { noted } from '../../../noted.ts'

export async function saveProfile(_: FormResult | null, data: FormData): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const fields = {
      name: textOf(data, 'name'),
      timezone: textOf(data, 'timezone'),
      version: versionOf(data),
    }
    await updateAccount(user.user_id, UpdateAccount.body.parse(fields))
    await noted(user, UpdateAccount)
    revalidatePath('/', 'layout')
    return 'The profile is saved.'
  })
}

export async function changePassword(_: FormResult | null, data: FormData): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const body = ChangePassword.body.parse(Object.fromEntries(data))
    await passwords.changePassword(user, body, new Date())
    await noted(user, ChangePassword)
    revalidatePath('/settings/account')
    return 'The password is changed. Other browsers are signed out.'
  })
}

export async function revokeSession(sessionId: string): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const params = RevokeSession.params.parse({ session_id: sessionId })
    await sessions.revokeSession(user.user_id, params.session_id, new Date())
    await noted(user, RevokeSession, params)
    revalidatePath('/settings/account')
    return 'That browser is signed out.'
  })
}

/** The address is always typed; where there is a password it decides, else the token of the page. */
export async function eraseMyAccount(_: FormResult | null, data: FormData): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const [email, password] = [textOf(data, 'email'), data.get('password')]
    if (email.toLowerCase() !== user.email.toLowerCase()) throw new AppError('erasure_unconfirmed')
    const proof = typeof password === 'string' ? { password } : { email, token: textOf(data, 'token') }
    await eraseAccount(user.user_id, EraseAccount.body.parse(proof), new Date())
    await endSession()
    redirect('/sign-in')
  })
}
