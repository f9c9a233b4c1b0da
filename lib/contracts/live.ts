/** What a page can watch for changes. */
export const LIVE_TOPICS = ['campaigns', 'datasets', 'posts', 'runs', 'domains', 'inbox'] as const
export type LiveTopic = (typeof LIVE_TOPICS)[number]
