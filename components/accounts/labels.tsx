export const NETWORK_LABELS: Record<string, string> = {
  linkedin: 'LinkedIn',
  whatsapp: 'WhatsApp',
  instagram: 'Instagram',
  telegram: 'Telegram',
  twitter: 'X',
}

export const KIND_LABELS: Record<string, string> = {
  free: 'Free',
  premium: 'Premium',
  sales_navigator: 'Sales Navigator',
  recruiter: 'Recruiter',
}

export const ACTION_LABELS: Record<string, string> = {
  visit_profile: 'Profile visits',
  connection_request: 'Invitations',
  message: 'Messages',
  inmail: 'InMails',
  follow: 'Follows',
  like_post: 'Likes',
  comment_post: 'Comments',
  endorse: 'Endorsements',
  withdraw_invitation: 'Withdrawals',
}
