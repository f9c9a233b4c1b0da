/** How long a report link works unless something else is said. */
export const REPORT_DAYS = 30
