import { EVENTS } from '#lib/contracts/telling/webhook-events'

/** What a webhook may ask for, without the schemas, which the browser has no use for. */
export const EVENT_CHOICES = Object.entries(EVENTS).map(([type, { when }]) => ({ type, when }))
