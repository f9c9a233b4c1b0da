import type { LaunchCheck } from '#lib/contracts/campaigns/launch-checks'

/** What is done about a finding on the page that fixes it, where that is more than to look or to edit. */
const DEEDS: Record<string, string> = {
  no_steps: 'Write the first step',
  dataset_empty: 'Add leads',
  no_sender: 'Connect a mailbox',
  no_account: 'Connect an account',
  domain_unverified: 'Verify the domain',
  mailbox_untested: 'Test the mailbox',
  sender_failing: 'Fix the mailbox',
  addresses_unverified: 'Verify addresses',
  ai_unreviewed: 'Review texts',
  texts_held: 'Review texts',
}

/** What stands on a page, by the end of its path, or else by its beginning. */
const ON_PAGE: Record<string, string> = {
  sequence: 'sequence',
  schedule: 'schedule',
  settings: 'settings',
  verification: 'addresses',
  mailboxes: 'mailboxes',
  accounts: 'accounts',
  domains: 'domains',
  'contact-policy': 'contact policy',
}
const BELOW: Record<string, string> = { datasets: 'leads', mailboxes: 'mailbox', domains: 'domain' }

/** The words of the link to where a finding is fixed: what is done or found there, never the same for all. */
export function remedyLabel(
  { code, step }: Pick<LaunchCheck, 'code' | 'step'>,
  fix: string,
  isFault: boolean,
) {
  const deed = DEEDS[code]
  if (deed) return deed
  const [, first = '', ...rest] = fix.split('/')
  const page = ON_PAGE[rest.at(-1) ?? first] ?? BELOW[first] ?? 'details'
  const verb = isFault && first === 'campaigns' ? 'Edit' : 'See'
  return `${verb} ${page === 'sequence' && step !== null ? `step ${step}` : page}`
}
