'use server'

import { redirect } from 'next/navigation'
import type { FormResult } from '#components/ui/controls/action-form'
import { InvitedSignUp } from '#lib/contracts/workspaces/invitations'
import { endSession, placeOfRequest } from '#lib/http/session'
import { signInBrowser } from '#lib/http/sign-in/sign-in-browser'
import { acceptInvitation } from '#lib/operations/workspaces/invitations'
import { signUpByInvitation } from '#lib/services/workspaces/joining/acceptance'
import { perform } from '../../../action.ts'
import { formResult } from '../../../form-result.ts'

export async function accept(token: string, _: FormResult | null, __: FormData): Promise<FormResult> {
  let slug = ''
  const result = await formResult(async () => {
    slug = (await perform(acceptInvitation, { body: { token } })).slug
    return undefined
  })
  if (!result.ok) return result
  redirect(`/w/${slug}/home`)
}

/**
 * For a signed-in user other than the invited one: signs out, so that the page shows how to continue as the
 * invited person.
 */
export async function leave(token: string): Promise<void> {
  await endSession()
  redirect(`/invite/${token}`)
}

export async function signUpInvited(
  token: string,
  _: FormResult | null,
  data: FormData,
): Promise<FormResult> {
  let isMade = false
  const result = await formResult(async () => {
    const fields = InvitedSignUp.parse(Object.fromEntries(data))
    const user = await signUpByInvitation(token, fields, await placeOfRequest(), new Date())
    if (!user) return undefined
    isMade = true
    await signInBrowser(user, 'sign_up')
    return undefined
  })
  if (!result.ok) return result.fields ? { ...result, message: 'Check the marked fields.' } : result
  if (!isMade) return { ok: false, message: 'This address already has an account. Reload to sign in.' }
  redirect('/home')
}
