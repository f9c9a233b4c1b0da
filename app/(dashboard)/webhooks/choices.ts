import { EVENTS } from '#lib/contracts/telling/webhook-events'

/** The webhook events without their schemas, which the browser does not need. */
export const EVENT_CHOICES = Object.entries(EVENTS).map(([type, { when }]) => ({ type, when }))
