/** What a reply ends: every campaign of the workspace that has the person, or the one that they replied in. */
export const AFTER_REPLY = ['everywhere', 'campaign'] as const

/** What a reply does that asks to be written to from a day on: hold the person until then, or end them as any other reply. */
export const AFTER_LATER = ['hold', 'end'] as const
