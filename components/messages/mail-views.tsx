export const MAIL_VIEWS = [
  { value: 'desktop', label: 'Desktop' },
  { value: 'phone', label: 'Phone' },
  { value: 'dark', label: 'Dark' },
  { value: 'plain', label: 'Plain' },
] as const
export type MailView = (typeof MAIL_VIEWS)[number]['value']

export const toMailView = (value: string): MailView =>
  MAIL_VIEWS.find((view) => view.value === value)?.value ?? 'plain'

/** Whether HTML shows what its text cannot; the image that tells of opens is not for showing. */
export const saysMore = (html: string | null | undefined): boolean =>
  /<(?:strong|b|em|i|u|ul|ol|img(?! src="[^"]*" width="1")|table|h[1-6]|font|span|div|style|blockquote)[\s>]/i.test(
    html ?? '',
  )
