/** What a reply ends: every campaign of the workspace that has the person, or the one that they replied in. */
export const AFTER_REPLY = ['everywhere', 'campaign'] as const
