/** Which leads an email campaign skips because of the verification of their address. */
export const SKIP_EMAILS = ['none', 'invalid', 'invalid_and_risky'] as const
export type SkipEmails = (typeof SKIP_EMAILS)[number]
