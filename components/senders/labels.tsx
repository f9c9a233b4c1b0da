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

/** What was done for one person, in the past tense. */
export const ACTION_DONE: Record<string, string> = {
  visit_profile: 'Visited the profile',
  connection_request: 'Invited to connect',
  message: 'Wrote a message',
  inmail: 'Wrote an InMail',
  follow: 'Followed them',
  like_post: 'Liked the newest post',
  comment_post: 'Commented on the newest post',
  endorse: 'Endorsed a skill',
  withdraw_invitation: 'Withdrew the invitation',
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
