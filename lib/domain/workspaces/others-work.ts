/** What a member changes only where they made it or were given it, by the name under which requests say which one. */
export const OTHERS_WORK = {
  campaign_id: 'change only campaigns that you made',
  run_id: 'change only texts of campaigns that you made',
  generation_id: 'change only texts of campaigns that you made',
  template_id: 'change only templates that you made',
  sender_profile_id: 'change only sender profiles that you made',
  post_id: 'change only posts that you made',
  dataset_id: 'change only datasets that no campaign of somebody else uses',
  thread_id:
    'reply only in conversations that are assigned to you, of campaigns that you made, or of mailboxes and accounts given to you',
  account_id: 'act only from accounts given to you',
  connected_account_id: 'post only from accounts given to you',
  report_link_id: 'share only campaigns that you made, and revoke only links to them',
  sandbox_message_id: 'answer only messages of campaigns that you made',
} as const
export type WorkName = keyof typeof OTHERS_WORK

/** One thing that a request changes. */
export type Changed = { name: WorkName; id: string }

export const isWorkName = (name: string): name is WorkName => name in OTHERS_WORK

export const notYours = (name: WorkName): string => `Ask an admin: as a member you ${OTHERS_WORK[name]}.`
