import { eventType } from 'inngest'
import { z } from 'zod'

const bell = <Name extends string>(name: Name) =>
  eventType(`bell/${name}`, { schema: z.object({ armed_for: z.iso.datetime() }) })

/**
 * One event for each kind of background work: something of it is due at the instant that the event is for. Which work, says
 * the database.
 */
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

/** The whole sweep, at once instead of at the next hour: a process that has just started asks for it. */
export const SweepRequested = eventType('sweep/requested', { schema: z.object({}) })
