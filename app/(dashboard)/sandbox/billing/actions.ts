'use server'

import { redirect } from 'next/navigation'
import type { FormResult } from '#components/ui/controls/action-form'
import { ReadSubscription } from '#lib/contracts/billing/billing'
import { requireUser } from '#lib/http/session'
import { chooseSandboxTier } from '#lib/services/billing/subscriptions'
import { formResult, textOf } from '../../../form-result.ts'

export async function chooseTier(_: FormResult | null, data: FormData): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const tier = ReadSubscription.response.shape.tier.parse(textOf(data, 'tier'))
    await chooseSandboxTier(user.user_id, tier, new Date())
    redirect('/settings/billing')
  })
}
