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
