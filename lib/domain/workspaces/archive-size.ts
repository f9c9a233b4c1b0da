/** The largest archive of a workspace in bytes that a request may import; the operator's command accepts larger ones. */
export const ARCHIVE_BYTES = 2_000_000_000
