import { MailParser } from 'mailparser'
import { MAX_HEAD, MAX_RAW } from '#lib/domain/inbox/bounds'

type Attachment = { filename: string | null; content_type: string }
type Mail = { subject: string; attachments: readonly Attachment[] }

const PACKED = /^(application\/(gzip|x-gzip|zip|x-zip-compressed|octet-stream|xml)|text\/xml)$/i
const MOST = 5

/** Whether a mail seems to bring reports; they are looked for only then. */
export const bringsReports = ({ subject, attachments }: Mail): boolean =>
  attachments.some((one) => isReport(one, /^\s*report domain:/i.test(subject)))

function isReport({ filename, content_type }: Attachment, isAnnounced: boolean): boolean {
  return isNamed(filename ?? '') || (isAnnounced && PACKED.test(content_type))
}

/** `receiver!domain!begin!end.xml.gz`, as RFC 7489 has it in section 7.2.1.1. */
function isNamed(filename: string): boolean {
  const [, , begin = '', end = ''] = filename.split('!')
  return /^\d{9,11}$/.test(begin) && /^\d{9,11}(\.|$)/.test(end) && /\.(xml|gz|zip)$/i.test(filename)
}

/** The bytes of what a mail has attached as reports, as far as they came. */
export function attachedReports(raw: Uint8Array): Promise<Uint8Array[]> {
  const parser = new MailParser({
    skipHtmlToText: true,
    skipTextToHtml: true,
    skipTextLinks: true,
    skipImageLinks: true,
    ignoreEmbedded: true,
    checksumAlgo: false,
    maxHeadSize: MAX_HEAD,
    maxChildNodes: 50,
  })
  const reports: Uint8Array[] = []
  return new Promise((resolve) => {
    parser.on('error', () => resolve(reports))
    parser.on('data', (part) => {
      if (part.type !== 'attachment') return
      const kept: Uint8Array[] = []
      part.content.on('data', (chunk: Uint8Array) => kept.push(chunk))
      part.content.on('end', () => {
        if (reports.length < MOST) reports.push(new Uint8Array(Buffer.concat(kept)))
        part.release?.()
      })
    })
    parser.on('end', () => resolve(reports))
    parser.end(Buffer.from(raw.subarray(0, MAX_RAW)))
  })
}
