/** Topics whose changes a page can watch. */
export const LIVE_TOPICS = [
  'home',
  'campaigns',
  'datasets',
  'posts',
  'runs',
  'domains',
  'inbox',
  'webhooks',
] as const
export type LiveTopic = (typeof LIVE_TOPICS)[number]

/** The header with which the inbox page also asks who has a conversation open. */
export const PRESENCE_HEADER = 'x-opener-presence'

/** The workspace that a request is meant for; sent by programs that use a JWT, and by each dashboard page. */
export const WORKSPACE_HEADER = 'x-workspace-id'
