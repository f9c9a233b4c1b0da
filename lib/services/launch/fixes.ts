import type { Campaign } from '#lib/contracts/campaigns/campaign'

const PAGES: Record<string, (campaign: Pick<Campaign, 'campaign_id' | 'dataset_id'>) => string> = {
  sequence: ({ campaign_id }) => `/campaigns/${campaign_id}/sequence`,
  schedule: ({ campaign_id }) => `/campaigns/${campaign_id}/schedule`,
  dataset: ({ dataset_id }) => `/datasets/${dataset_id}`,
  settings: ({ campaign_id }) => `/campaigns/${campaign_id}/settings`,
  verification: ({ dataset_id }) => `/datasets/${dataset_id}/verification`,
  mailboxes: () => '/mailboxes',
  domains: () => '/domains',
  accounts: () => '/accounts',
  contact_policy: () => '/settings/contact-policy',
}

const MENDED_ON: Record<string, keyof typeof PAGES> = {
  no_steps: 'sequence',
  dataset_empty: 'dataset',
  dataset_busy: 'dataset',
  leads: 'dataset',
  lead_file_column_unknown: 'dataset',
  no_sender: 'mailboxes',
  senders: 'mailboxes',
  mailbox_not_given: 'schedule',
  account_not_given: 'schedule',
  sender_failing: 'mailboxes',
  accounts: 'accounts',
  no_account: 'accounts',
  account_cap_zero: 'accounts',
  caps_below_daily_limit: 'accounts',
  rows_no_profile: 'dataset',
  rows_no_address_or_profile: 'dataset',
  rows_duplicate_profile: 'dataset',
  leads_without_profile: 'dataset',
  leads_without_address: 'dataset',
  lead_clocks_unknown: 'dataset',
  bcc_copies: 'settings',
  bcc_suppressed: 'settings',
  bcc_tracked: 'settings',
  providers_alike: 'settings',
  providers_matched: 'settings',
  senders_below_daily_limit: 'mailboxes',
  domain_unverified: 'domains',
  rows_no_address: 'dataset',
  rows_suppressed: 'dataset',
  rows_suppressed_domain: 'dataset',
  rows_duplicate_address: 'dataset',
  rows_undeliverable: 'verification',
  rows_risky_address: 'verification',
  addresses_unverified: 'verification',
  rows_replied_elsewhere: 'contact_policy',
  rows_has_left: 'settings',
  people_in_other_campaign: 'contact_policy',
  colleagues_replied: 'contact_policy',
  people_beside_colleagues: 'contact_policy',
}

/** The page on which a finding can be fixed; null if there is none. */
export function findFix(
  { code, step }: { code: string; step: number | null },
  campaign: Pick<Campaign, 'campaign_id' | 'dataset_id'>,
): string | null {
  const page = MENDED_ON[code] ?? (step === null ? 'schedule' : 'sequence')
  return PAGES[page]?.(campaign) ?? null
}
