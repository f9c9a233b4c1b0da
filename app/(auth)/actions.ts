'use server'

import { redirect } from 'next/navigation'
import { z } from 'zod'
import type { FormResult } from '#components/ui/action-form'
import { SignIn, SignUp } from '#lib/contracts/sign-in'
import { AppError } from '#lib/errors'
import { endSession, placeOfRequest, startSession } from '#lib/http/session'
import * as service from '#lib/services/sign-in'

const refused = (message: string, fields?: Record<string, string>): FormResult =>
  fields ? { ok: false, message, fields } : { ok: false, message }

/** The refusals that a person can act upon; anything else is for the error page. */
function sayRefusal(error: unknown): FormResult {
  if (error instanceof AppError) return refused(error.message)
  throw error
}

export async function signIn(_: FormResult | null, data: FormData): Promise<FormResult> {
  const fields = SignIn.safeParse(Object.fromEntries(data))
  if (!fields.success) return refused('Enter your e-mail address and your password.')
  try {
    const user = await service.signInByPassword(fields.data, await placeOfRequest(), new Date())
    if (!user) return refused('The e-mail address or the password is not right.')
    await startSession(user)
  } catch (error) {
    return sayRefusal(error)
  }
  redirect('/home')
}

export async function signUp(_: FormResult | null, data: FormData): Promise<FormResult> {
  const fields = SignUp.safeParse(Object.fromEntries(data))
  if (!fields.success) {
    const { fieldErrors } = z.flattenError(fields.error)
    return refused(
      'Some fields need another look.',
      Object.fromEntries(Object.entries(fieldErrors).map(([name, messages]) => [name, messages[0] ?? ''])),
    )
  }
  try {
    const user = await service.signUp(fields.data, await placeOfRequest(), new Date())
    if (!user) return refused('This address has an account already.', { email: 'Sign in instead.' })
    await startSession(user)
  } catch (error) {
    return sayRefusal(error)
  }
  redirect('/home')
}

export async function signOut(): Promise<void> {
  await endSession()
  redirect('/sign-in')
}
