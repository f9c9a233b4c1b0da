/** Objects that a member may change only if they made them or were given them, by the name of the id in requests. */
export const OTHERS_WORK = {
  campaign_id: 'can change only campaigns you made',
  run_id: 'can change only texts of campaigns you made',
  generation_id: 'can change only texts of campaigns you made',
  template_id: 'can change only templates you made',
  sender_profile_id: 'can change only sender profiles you made',
  post_id: 'can change only posts you made',
  dataset_id: 'can change only datasets that nobody else’s campaign uses',
  thread_id:
    'can reply only in conversations assigned to you, from campaigns you made, or on mailboxes and accounts given to you',
  account_id: 'can act only from accounts given to you',
  connected_account_id: 'can post only from accounts given to you',
  report_link_id: 'can share only campaigns you made, and revoke only links to them',
  sandbox_message_id: 'can reply only to messages from campaigns you made',
} as const
export type WorkName = keyof typeof OTHERS_WORK

/** One object that a request changes. */
export type Changed = { name: WorkName; id: string }

export const isWorkName = (name: string): name is WorkName => name in OTHERS_WORK

export const notYours = (name: WorkName): string => `Ask an admin. As a member, you ${OTHERS_WORK[name]}.`
