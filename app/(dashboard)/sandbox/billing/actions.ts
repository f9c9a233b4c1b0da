'use server'

import { chooseSandboxTier } from '#lib/operations/billing/billing'
import { formAction } from '../../../action.ts'
import { formText } from '../../../form-result.ts'

export const chooseTier = formAction(
  chooseSandboxTier,
  (data) => ({ body: { tier: formText(data, 'tier') } }),
  {
    to: '/settings/billing',
  },
)
