'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import type { FormResult } from '#components/ui/controls/action-form'
import { ApplyReferral, CreateCheckoutSession } from '#lib/contracts/billing/billing'
import { requireUser } from '#lib/http/session'
import { createCheckoutSession, createPortalSession } from '#lib/services/billing/subscriptions'
import { applyReferral as apply } from '#lib/services/workspaces/referrals'
import { formResult, textOf } from '../../../form-result.ts'
import { noted } from '../../../noted.ts'

export async function openPortal(): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => redirect((await createPortalSession(user.user_id)).url))
}

export async function buyTier(_: FormResult | null, data: FormData): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const { tier } = CreateCheckoutSession.body.parse({ tier: textOf(data, 'tier') })
    const { url } = await createCheckoutSession(user.user_id, tier)
    await noted(user, CreateCheckoutSession)
    redirect(url)
  })
}

export async function applyReferral(_: FormResult | null, data: FormData): Promise<FormResult> {
  const user = await requireUser()
  const result = await formResult(async () => {
    const { referral_code } = ApplyReferral.body.parse({ referral_code: textOf(data, 'referral_code') })
    const { applied } = await apply(user.user_id, referral_code)
    if (applied) await noted(user, ApplyReferral)
    return applied ? 'Applied. You both get one more API key.' : 'refused'
  })
  if (result.ok && result.message === 'refused')
    return {
      ok: false,
      message:
        'This code cannot be used: it does not exist, is your own, or belongs to someone you referred.',
    }
  revalidatePath('/settings/billing')
  return result
}
