'use server'

import * as operations from '#lib/operations/workspaces/contact-policy'
import { formAction } from '../../../action.ts'
import { formText, formVersion } from '../../../form-result.ts'

export const saveContactPolicy = formAction(
  operations.updateContactPolicy,
  (data) => ({
    body: {
      after_reply: formText(data, 'after_reply'),
      after_later: formText(data, 'after_later'),
      version: formVersion(data),
    },
  }),
  { anew: '/settings/contact-policy', said: 'The contact policy is saved.' },
)
