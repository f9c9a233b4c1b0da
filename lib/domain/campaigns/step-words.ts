/** The display name of each kind of step. */
export const ACTION_WORDS = {
  email: 'Email',
  visit_profile: 'Profile visit',
  connection_request: 'Invitation',
  message: 'Message',
  inmail: 'InMail',
  follow: 'Follow',
  like_post: 'Like a post',
  comment_post: 'Comment on a post',
  endorse: 'Endorsement',
  withdraw_invitation: 'Withdraw the invitation',
} as const

/** The display name of each condition. */
export const CONDITION_WORDS = {
  always: 'Always',
  opened: 'Only if a person has opened',
  not_opened: 'Only if nobody has opened',
  clicked: 'Only if a person has clicked',
  not_clicked: 'Only if nobody has clicked',
  connected: 'Only if connected',
  not_connected: 'Only if not connected',
} as const
