type Attachment = { filename: string | null; content_type: string }
type Mail = { subject: string; attachments: readonly Attachment[] }

const PACKED = /^(application\/(gzip|x-gzip|zip|x-zip-compressed|octet-stream|xml)|text\/xml)$/i

/** Whether a mail probably carries reports; attachments are parsed only then. */
export const bringsReports = ({ subject, attachments }: Mail): boolean =>
  attachments.some((one) => isReport(one, /^\s*report domain:/i.test(subject)))

function isReport({ filename, content_type }: Attachment, isAnnounced: boolean): boolean {
  return isNamed(filename ?? '') || (isAnnounced && PACKED.test(content_type))
}

/** `receiver!domain!begin!end.xml.gz`, as RFC 7489 defines it in section 7.2.1.1. */
function isNamed(filename: string): boolean {
  const [, , begin = '', end = ''] = filename.split('!')
  return /^\d{9,11}$/.test(begin) && /^\d{9,11}(\.|$)/.test(end) && /\.(xml|gz|zip)$/i.test(filename)
}
