/** Which leads of mail a campaign passes over for what verification found. */
export const SKIP_EMAILS = ['none', 'invalid', 'invalid_and_risky'] as const
export type SkipEmails = (typeof SKIP_EMAILS)[number]
