import { type Link, type MailWords, readWords } from '#lib/domain/messages/content/mail-words'
import { spamPhrases } from '#lib/domain/messages/content/spam-phrases'

export type ContentFinding = {
  code: string
  severity: 'warns' | 'informs'
  /** What was found and why it matters, in one or two sentences. */
  message: string
  /** The words, hosts or addresses concerned. */
  words: string[]
}

export type CheckedMail = {
  subject: string | null
  /** Plain text or HTML, without Liquid and spintax. */
  body: string
  /** Whether it may be the first message to a person. */
  is_first: boolean
  /** The host of tracked links, if clicks are tracked. */
  click_host?: string | null
  /** Links that the product adds, such as the unsubscribe link. */
  ours?: string[]
}

const LINKS_FIRST = 3
const LINKS_LATER = 6
const WORDS_FIRST = 250
const SUBJECT_LONG = 70
const IMAGE_TEXT = 100
/** Gmail shows the first 102 KB of a mail and hides the rest behind a link. */
const CLIPPED = 102_000

/** Link shorteners: filters know that they hide a link's target, and most are on blocklists. */
const SHORTENERS = new Set(
  `bit.ly bitly.com tinyurl.com t.co goo.gl ow.ly is.gd v.gd buff.ly rebrand.ly cutt.ly shorturl.at rb.gy tiny.cc t.ly
  bl.ink lnkd.in s.id soo.gd short.io shorte.st adf.ly ouo.io tr.im u.to dub.sh urlz.fr kutt.it`.split(/\s+/),
)

/** Merge fields of other tools and stray braces, which would be sent as they are. */
const LEFT_OVER =
  /\{\{?[ \t]{0,3}[\p{L}_][\p{L}\p{N}_.]{0,40}[ \t]{0,3}\}\}?|\*\|[A-Z_]{1,40}\|\*|%[A-Z][A-Z_]{1,40}%|<<[\p{L}_]{1,40}>>|\[(?:first|last|your|their)?[ _-]?(?:name|company|vorname|nachname|firma|pr[eé]nom|nom|soci[eé]t[eé]|nombre|empresa)\]/giu

/**
 * What spam filters or readers may dislike in a mail: rules that name the words and explain why. None is certain; filters judge
 * the sender more than the text.
 */
export function checkContent(mail: CheckedMail): ContentFinding[] {
  const words = readWords(mail.body, mail.ours)
  return [...subjectFindings(mail), ...linkFindings(mail, words.links), ...bodyFindings(mail, words)]
}

function subjectFindings({ subject, is_first }: CheckedMail): ContentFinding[] {
  const line = subject?.trim() ?? ''
  const findings: ContentFinding[] = []
  const warn = (code: string, message: string, words: string[]) =>
    findings.push({ code, severity: 'warns', message, words })
  const prefix = /^(?:re|aw|sv|fwd?|wg|tr|rv)\s{0,3}:/i.exec(line)?.[0]
  if (is_first && prefix)
    warn('subject_false_reply', 'The subject looks like a reply or a forward, but there is no thread yet.', [
      prefix,
    ])
  const letters = line.match(/\p{L}/gu) ?? []
  const capitals = line.match(/\p{Lu}/gu) ?? []
  if (letters.length >= 8 && capitals.length >= letters.length * 0.8)
    warn(
      'subject_capitals',
      'The subject is in capitals, which looks like shouting to filters and readers.',
      [line],
    )
  const marks = line.match(/[!$€£?]{2,}/g)
  if (marks)
    warn('subject_marks', 'The subject repeats punctuation, like advertising does.', [...new Set(marks)])
  const phrases = spamPhrases(line)
  if (phrases.length > 0)
    warn('subject_phrases', 'The subject has words that filters know from spam.', phrases)
  if (line.length > SUBJECT_LONG)
    findings.push({
      code: 'subject_long',
      severity: 'informs',
      message: `The subject has ${line.length} characters. Inboxes show about ${SUBJECT_LONG}, phones half of that.`,
      words: [],
    })
  return findings
}

function linkFindings({ is_first, click_host = null }: CheckedMail, links: Link[]): ContentFinding[] {
  const findings: ContentFinding[] = []
  const warn = (code: string, message: string, words: string[]) =>
    findings.push({ code, severity: 'warns', message, words })
  const targets = new Set(links.map(({ url }) => url.href))
  const most = is_first ? LINKS_FIRST : LINKS_LATER
  if (targets.size > most)
    warn(
      'links_many',
      `Links to ${targets.size} addresses: ${is_first ? 'a first email' : 'a follow-up'} with more than ${most} looks like a newsletter.`,
      hosts(links),
    )
  const short = links.filter(({ url }) => SHORTENERS.has(bare(url.hostname)))
  if (short.length > 0)
    warn(
      'link_shortened',
      'Short links hide where they lead, so filters distrust them. Use the full address.',
      hosts(short),
    )
  // The tracking host is configured by the instance, not by the author.
  const written = links.filter(({ url }) => url.host !== click_host)
  const numbers = written.filter(({ url }) => /^(?:\[|\d{1,3}(?:\.\d{1,3}){3}$)/.test(url.hostname))
  if (numbers.length > 0) warn('link_to_number', 'Links to an IP address look like phishing.', hosts(numbers))
  const others = links.filter(({ url, said }) => {
    const shown = shownHost(said)
    return shown !== null && shown !== bare(click_host ?? url.hostname)
  })
  if (others.length > 0)
    warn(
      'link_shows_other_host',
      click_host
        ? `Links whose text is an address lead through ${click_host}, because clicks are tracked. Filters treat that as phishing. Use words as the link text, or turn off tracking.`
        : 'A link’s text shows a different host than its target. Filters treat that as phishing.',
      others.map(({ url, said }) => `${said.slice(0, 100)} → ${bare(click_host ?? url.hostname)}`),
    )
  const open = written.filter(({ url }) => url.protocol === 'http:')
  if (open.length > 0)
    findings.push({
      code: 'link_unencrypted',
      severity: 'informs',
      message: 'Links with http:// instead of https://.',
      words: hosts(open),
    })
  return findings
}

function bodyFindings({ subject, body, is_first }: CheckedMail, words: MailWords): ContentFinding[] {
  const findings: ContentFinding[] = []
  const add = (code: string, severity: ContentFinding['severity'], message: string, named: string[] = []) =>
    findings.push({ code, severity, message, words: named })
  const left = `${subject ?? ''}\n${words.text}`.match(LEFT_OVER)
  if (left)
    add(
      'field_left_over',
      'warns',
      'These look like merge fields and would be sent as is. Fields are written {{ first_name }}.',
      [...new Set(left)],
    )
  const pictures = words.images.filter(({ is_tiny }) => !is_tiny)
  if (is_first && words.images.length > pictures.length)
    add(
      'pixel_in_first_mail',
      'warns',
      'An invisible image in a first email. Filters recognise it as tracking.',
    )
  if (pictures.length > 0 && words.text.length < IMAGE_TEXT)
    add(
      'image_without_text',
      'warns',
      `${pictures.length === 1 ? 'An image' : `${pictures.length} images`} with hardly any text. Spam hides its words this way, and many readers do not see images.`,
    )
  if (pictures.some(({ alt }) => alt === ''))
    add(
      'image_without_description',
      'informs',
      'Images without a description are blank in the plain part and to screen readers.',
    )
  const phrases = spamPhrases(words.text)
  if (phrases.length > 0)
    add(
      'spam_phrases',
      phrases.length >= 3 ? 'warns' : 'informs',
      'Words that filters know from spam. One is harmless, several in an email to a stranger are not.',
      phrases,
    )
  const count = words.text.split(' ').length
  if (is_first && count > WORDS_FIRST)
    add('text_long', 'informs', `A first email of ${count} words. Short ones are read more often.`)
  if (new TextEncoder().encode(body).length > CLIPPED)
    add('body_clipped', 'warns', 'Over 102 KB: Gmail hides the end, including the unsubscribe link.')
  return findings
}

const bare = (host: string) => host.toLowerCase().replace(/^www\./, '')
const hosts = (links: Link[]) => [...new Set(links.map(({ url }) => bare(url.hostname)))]

/** If the text is a URL or domain itself, its host. */
function shownHost(said: string): string | null {
  const address = /^https?:\/\//i.test(said) ? said : `https://${said}`
  if (/\s/.test(said) || said.includes('@') || !URL.canParse(address)) return null
  const { hostname } = new URL(address)
  return /^[a-z0-9.-]+\.[a-z]{2,}$/.test(hostname) ? bare(hostname) : null
}
