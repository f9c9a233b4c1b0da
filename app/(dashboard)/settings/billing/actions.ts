'use server'

import { AppError } from '#lib/errors'
import * as operations from '#lib/operations/billing/billing'
import { action, formAction } from '../../../action.ts'
import { formText } from '../../../form-result.ts'

export const openPortal = action(operations.createPortalSession, () => ({}), { to: ({ url }) => url })

export const buyTier = formAction(
  operations.createCheckoutSession,
  (data) => ({ body: { tier: formText(data, 'tier') } }),
  { to: ({ url }) => url },
)

export const applyReferral = formAction(
  operations.applyReferral,
  (data) => ({ body: { referral_code: formText(data, 'referral_code') } }),
  {
    anew: '/settings/billing',
    said: ({ applied }) => {
      if (applied) return 'Applied. You both get one more API key.'
      throw new AppError('invalid_state', {
        message:
          'This code cannot be used: it does not exist, is your own, or belongs to someone you referred.',
      })
    },
  },
)
