/** Who grants access to mailboxes by OAuth. `sandbox` is this instance itself, for trying it out. */
export const MAIL_VENDORS = ['google', 'microsoft', 'sandbox'] as const
export type MailVendor = (typeof MAIL_VENDORS)[number]

/** How mail goes to a vendor and comes from it: over SMTP and IMAP, or over the vendor's own API. */
export const MAIL_ROUTES = ['smtp', 'api'] as const
