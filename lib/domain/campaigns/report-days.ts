/** How long a report link works by default, in days. */
export const REPORT_DAYS = 30
