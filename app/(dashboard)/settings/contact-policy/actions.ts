'use server'

import { replaceIntentRules } from '#lib/operations/inbox/intent-rules'
import * as operations from '#lib/operations/workspaces/contact-policy'
import { formAction } from '../../../action.ts'
import { formNumber, formText, formVersion } from '../../../form-result.ts'
import { rulesIn } from '../../rule-choices.ts'

export const saveContactPolicy = formAction(
  operations.updateContactPolicy,
  (data) => ({
    body: {
      one_campaign_at_a_time: data.has('one_campaign_at_a_time'),
      rest_days: formNumber(data, 'rest_days'),
      colleague_reply_days: formNumber(data, 'colleague_reply_days'),
      company_max_active: formNumber(data, 'company_max_active') ?? null,
      after_reply: formText(data, 'after_reply'),
      version: formVersion(data),
    },
  }),
  { anew: '/settings/contact-policy', said: 'Contact policy saved.' },
)

export const saveIntentRules = formAction(replaceIntentRules, (data) => ({ body: rulesIn(data) }), {
  anew: '/settings/contact-policy',
  said: 'Rules saved.',
})
