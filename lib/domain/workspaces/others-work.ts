/** What a member changes only where they made it, by the name under which requests say which one. */
export const OTHERS_WORK = {
  campaign_id: 'campaigns that you made',
  run_id: 'texts of campaigns that you made',
  generation_id: 'texts of campaigns that you made',
  template_id: 'templates that you made',
  sender_profile_id: 'sender profiles that you made',
  post_id: 'posts that you made',
  dataset_id: 'datasets that no campaign of somebody else uses',
  thread_id: 'conversations that are assigned to you, or of campaigns that you made',
  sandbox_message_id: 'messages of campaigns that you made',
} as const
export type WorkName = keyof typeof OTHERS_WORK

/** One thing that a request changes. */
export type Changed = { name: WorkName; id: string }

export const isWorkName = (name: string): name is WorkName => name in OTHERS_WORK

export const notYours = (name: WorkName): string =>
  `Ask an admin: as a member you change only ${OTHERS_WORK[name]}.`
