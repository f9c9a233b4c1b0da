'use server'

import { redirect } from 'next/navigation'
import type { FormResult } from '#components/ui/controls/action-form'
import { PasskeyAnswer } from '#lib/contracts/workspaces/passkeys'
import { SignInCode, safeReturnPath } from '#lib/contracts/workspaces/sign-in'
import { enterByCode } from '#lib/http/sign-in/code-door'
import { enterByPasskey } from '#lib/http/sign-in/passkey-door'
import { signInBrowser } from '#lib/http/sign-in/sign-in-browser'
import { askForPasskey } from '#lib/services/workspaces/sign-in/by-passkey'
import { formResult } from '../../form-result.ts'

const refused = (message: string): FormResult => ({ ok: false, message })
const goOn = (back: unknown): never => redirect(safeReturnPath(back) ?? '/home')

/** The challenge for a passkey. Does not require a user name. */
export async function startPasskeySignIn() {
  return askForPasskey({ purpose: 'sign_in' }, new Date())
}

export async function signInByPasskey(back: string | null, given: unknown): Promise<FormResult> {
  const answer = PasskeyAnswer.safeParse(given)
  let isIn = false
  const result = await formResult(async () => {
    const user = answer.success ? await enterByPasskey(answer.data) : null
    if (user) isIn = (await signInBrowser(user, 'passkey')) === 'in'
    return undefined
  })
  if (!result.ok) return result
  return isIn
    ? goOn(back)
    : refused('This passkey does not match any account here. Try again, or sign in another way.')
}

export async function signInByCode(_: FormResult | null, data: FormData): Promise<FormResult> {
  const fields = SignInCode.safeParse(Object.fromEntries(data))
  let entered: Awaited<ReturnType<typeof enterByCode>> = null
  const result = await formResult(async () => {
    entered = fields.success ? await enterByCode(fields.data.code) : null
    if (entered && entered !== 'gone') await signInBrowser(entered, 'second_factor')
    return undefined
  })
  if (!result.ok) return result
  if (entered === 'gone') redirect('/sign-in?error=code_gone')
  return entered
    ? goOn(data.get('return_path'))
    : refused('The code is wrong or was already used. Wait for the next one.')
}
