export const MAIL_VIEWS = [
  { value: 'desktop', label: 'Desktop' },
  { value: 'phone', label: 'Phone' },
  { value: 'dark', label: 'Dark' },
  { value: 'plain', label: 'Plain' },
] as const
export type MailView = (typeof MAIL_VIEWS)[number]['value']

export const toMailView = (value: string): MailView =>
  MAIL_VIEWS.find((view) => view.value === value)?.value ?? 'plain'

/** Whether the HTML shows more than its text; the tracking pixel does not count. */
export const saysMore = (html: string | null | undefined): boolean =>
  /<(?:strong|b|em|i|u|ul|ol|img(?! src="[^"]*" width="1")|table|h[1-6]|font|span|div|style|blockquote)[\s>]/i.test(
    html ?? '',
  )
