'use server'

import { AppError } from '#lib/errors'
import * as operations from '#lib/operations/billing/billing'
import * as payer from '#lib/operations/billing/payer'
import { updateAccountSettings } from '#lib/operations/workspaces/account-settings'
import { action, formAction } from '../../../action.ts'
import { formNumber, formText, formVersion } from '../../../form-result.ts'

export const openPortal = action(operations.createPortalSession, () => ({}), { to: ({ url }) => url })

export const buyTier = formAction(
  operations.createCheckoutSession,
  (data) => ({ body: { tier: formText(data, 'tier') } }),
  { to: ({ url }) => url },
)

const ofWorkspace = (workspace_id: string) => ({ params: { workspace_id } })

export const letParentPay = action(payer.letParentPay, ofWorkspace, {
  anew: '/',
  said: ({ payer }) => `${payer?.name} pays from now on.`,
})

export const endPaying = action(payer.endParentPaying, ofWorkspace, {
  anew: '/',
  said: 'The workspace pays for itself from now on.',
})

export const saveAiBudget = formAction(
  updateAccountSettings,
  (data) => ({
    body: {
      ai_tokens_per_month: formNumber(data, 'ai_tokens_per_month') ?? null,
      version: formVersion(data),
    },
  }),
  { anew: '/settings/billing', said: 'AI budget saved.' },
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
          'This code cannot be used. It does not exist, is your own, or belongs to someone you referred.',
      })
    },
  },
)
