/** Who grants access to mailboxes by OAuth. `sandbox` is this instance itself, for trying it out. */
export const MAIL_VENDORS = ['google', 'microsoft', 'sandbox'] as const
export type MailVendor = (typeof MAIL_VENDORS)[number]
