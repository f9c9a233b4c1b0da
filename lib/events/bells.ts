import { eventType } from 'inngest'
import { z } from 'zod'

const bell = <Name extends string>(name: Name) =>
  eventType(`bell/${name}`, { schema: z.object({ armed_for: z.iso.datetime() }) })

/** One event for each kind of background work: some of that work is due at the instant in the event. The database says which. */
export const BELL_EVENTS = {
  dispatch: bell('dispatch'),
  inbox: bell('inbox'),
  accounts: bell('accounts'),
  webhooks: bell('webhooks'),
  notifications: bell('notifications'),
  posts: bell('posts'),
  intents: bell('intents'),
  answers: bell('answers'),
  chores: bell('chores'),
}

/** Runs the whole sweep at once instead of at the next hour; sent by a process that has just started. */
export const SweepRequested = eventType('sweep/requested', { schema: z.object({}) })
