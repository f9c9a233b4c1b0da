/** What the API says of itself, in Markdown: in its document, and on the page of its reference. */
export const API_DESCRIPTION =
  'Multi-channel outreach. Every path answers with and without a slash at its end. `Idempotency-Key` is ignored: two equal POSTs make two resources, so read before a failed one is tried again. Retry 429 after `Retry-After` seconds and 5xx with exponential backoff, at most 5 attempts; nothing else.'
