/** What a page can watch for changes. */
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

/** What the inbox’s own page asks with for who has a conversation open. */
export const PRESENCE_HEADER = 'x-opener-presence'

/** Names the workspace that a request is meant for: of a program that has a JWT, and of each page of the dashboard. */
export const WORKSPACE_HEADER = 'x-workspace-id'
