/** What a reply ends: all campaigns of the workspace that contain the person, or only the one they replied in. */
export const AFTER_REPLY = ['everywhere', 'campaign'] as const
