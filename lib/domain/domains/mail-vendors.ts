/** OAuth vendors for access to mailboxes. `sandbox` is this instance itself, for trying it out. */
export const MAIL_VENDORS = ['google', 'microsoft', 'sandbox'] as const
export type MailVendor = (typeof MAIL_VENDORS)[number]

/** How mail travels to and from a vendor: over SMTP and IMAP, or over the vendor's own API. */
export const MAIL_ROUTES = ['smtp', 'api'] as const
