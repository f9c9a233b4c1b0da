'use server'

import { redirect } from 'next/navigation'
import type { FormResult } from '#components/ui/controls/action-form'
import { ReadAccount } from '#lib/contracts/workspaces/account'
import { AppError } from '#lib/errors'
import { endSession, requireUser } from '#lib/http/session'
import * as account from '#lib/operations/workspaces/account'
import { formAction, perform } from '../../../action.ts'
import { formResult, formText, formVersion } from '../../../form-result.ts'

export const saveProfile = formAction(
  account.updateAccount,
  (data) => ({
    body: {
      name: formText(data, 'name'),
      timezone: formText(data, 'timezone') || undefined,
      version: formVersion(data),
    },
  }),
  { anew: '/', said: 'Profile saved.' },
)

/** The address must always be typed. If there is a password it decides, else the page's token. */
export async function eraseMyAccount(_: FormResult | null, data: FormData): Promise<FormResult> {
  const user = await requireUser(ReadAccount)
  return formResult(async () => {
    const [email, password] = [formText(data, 'email'), data.get('password')]
    if (email.toLowerCase() !== user.email.toLowerCase()) throw new AppError('erasure_unconfirmed')
    const body = typeof password === 'string' ? { password } : { email, token: formText(data, 'token') }
    await perform(account.eraseAccount, { body })
    await endSession()
    redirect('/goodbye')
  })
}
