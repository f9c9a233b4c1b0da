import type { LaunchCheck } from '#lib/contracts/campaigns/launch-checks'

/** What the user does on the page that fixes a finding, if more specific than viewing or editing. */
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

/** The name of a page by the end of its path, or else by its beginning. */
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

/** The link text to the page that fixes a finding, specific to what is done there. */
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
