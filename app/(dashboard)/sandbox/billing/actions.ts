'use server'

import { chooseSandboxTier } from '#lib/operations/billing/billing'
import { formAction } from '../../../action.ts'
import { textOf } from '../../../form-result.ts'

export const chooseTier = formAction(
  chooseSandboxTier,
  (data) => ({ body: { tier: textOf(data, 'tier') } }),
  {
    to: '/settings/billing',
  },
)
