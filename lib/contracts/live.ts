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
