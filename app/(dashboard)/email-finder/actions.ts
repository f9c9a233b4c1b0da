'use server'

import type { Ask, Found, Verified } from '#components/datasets/finder-forms'
import { FindEmail, VerifyEmail } from '#lib/contracts/enrichment/email-finder'
import { limitRate } from '#lib/http/rate-limit'
import { requireUser } from '#lib/http/session'
import { findEmail } from '#lib/services/finder/find'
import { verifyEmail } from '#lib/services/finder/verify'
import { formResult } from '../../form-result.ts'
import { noted } from '../../noted.ts'

/** What a person can act upon comes back as words, as from every form. */
async function answered<T>(work: () => Promise<T>): Promise<{ answer: T } | { problem: string }> {
  const found: { answer?: T } = {}
  const result = await formResult(async () => {
    found.answer = await work()
    return undefined
  })
  if (result.ok && found.answer !== undefined) return { answer: found.answer }
  return { problem: result.ok ? 'There was no answer.' : result.message.replace('Nothing was saved. ', '') }
}

export const find: Ask<Found> = async (_, data) => {
  const user = await requireUser()
  return answered(async () => {
    const now = new Date()
    const body = FindEmail.body.parse(Object.fromEntries(data))
    await limitRate(FindEmail, user.user_id, now)
    const found = FindEmail.response.parse(await findEmail(user.user_id, body, now))
    await noted(user, FindEmail)
    return found
  })
}

export const verify: Ask<Verified> = async (_, data) => {
  const user = await requireUser()
  return answered(async () => {
    const now = new Date()
    const { email } = VerifyEmail.body.parse(Object.fromEntries(data))
    await limitRate(VerifyEmail, user.user_id, now)
    const verified = VerifyEmail.response.parse(await verifyEmail(user.user_id, email, now))
    await noted(user, VerifyEmail)
    return verified
  })
}
