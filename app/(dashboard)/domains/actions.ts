'use server'

import type { Leave } from '#components/ui/controls/leave-button'
import * as dmarcReports from '#lib/operations/domains/dmarc-reports'
import * as operations from '#lib/operations/domains/domains'
import * as postmaster from '#lib/operations/domains/postmaster'
import * as snds from '#lib/operations/domains/snds'
import { updateAccountSettings } from '#lib/operations/workspaces/account-settings'
import { action, answered, formAction, perform } from '../../action.ts'
import { formText } from '../../form-result.ts'

const thisDomain = (domain_id: string) => ({ params: { domain_id } })
const anew = '/domains'

export const addDomain = formAction(
  operations.createDomain,
  (data) => ({ body: { domain: formText(data, 'domain') } }),
  { anew, to: ({ domain_id }) => `/domains/${domain_id}` },
)

export const verifyDomain = action(operations.verifyDomain, thisDomain, {
  anew,
  said: ({ status }) =>
    status === 'verified' ? 'Every required record was found.' : 'Checked. Some records are still missing.',
})

export const rotateDomainKey = action(operations.rotateDomainKey, thisDomain, {
  anew,
  said: 'A new key was created. Publish its record.',
})

export const setBounceAddress = action(
  operations.updateDomain,
  (domain_id: string, bounce_address: boolean) => ({ ...thisDomain(domain_id), body: { bounce_address } }),
  {
    anew,
    said: (_, __, on) =>
      on ? 'Publish both records of the bounce address.' : 'Bounces go to the mailboxes again.',
  },
)

export const addDmarcReports = formAction(
  dmarcReports.addDmarcReports,
  (data, domain_id: string) => ({ ...thisDomain(domain_id), body: { file: data.get('file') } }),
  {
    anew,
    said: ({ added, known }) =>
      added === 0
        ? `Nothing new: ${known} already known.`
        : `${added} ${added === 1 ? 'report' : 'reports'} added.`,
  },
)

export const deleteDomain = action(operations.deleteDomain, thisDomain, { anew, to: '/domains' })

export const demandVerified = action(
  updateAccountSettings,
  (require_verified_domain: boolean) => ({ body: { require_verified_domain } }),
  {
    anew,
    said: (_, on) =>
      on ? 'Campaigns launch only from verified domains now.' : 'Campaigns may launch from any domain again.',
  },
)

/** The Google sign-in page, which returns to this domain. */
export async function connectPostmaster(domain_id: string): ReturnType<Leave> {
  const begun = await answered(() => perform(postmaster.authorizePostmaster, { body: { domain_id } }))
  return begun.ok ? { ok: true, url: begun.answer.url } : begun
}

export const disconnectPostmaster = action(postmaster.disconnectPostmaster, () => ({}), {
  anew,
  said: 'Postmaster Tools are disconnected.',
})

export const connectSnds = formAction(
  snds.connectSnds,
  (data) => ({ body: { key: formText(data, 'key') } }),
  { anew, said: 'SNDS is connected.' },
)

/** Made-up numbers that show what the page would contain. */
export const connectSandboxSnds = action(snds.connectSnds, () => ({ body: { key: 'sandbox' } }), { anew })

export const disconnectSnds = action(snds.disconnectSnds, () => ({}), { anew, said: 'SNDS is disconnected.' })
