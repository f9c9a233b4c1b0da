import { readHeader } from '#lib/domain/inbox/headers'
import type { InboundMail } from '#lib/domain/inbox/inbound-mail'
import { bareSubject } from '#lib/domain/inbox/subject'

/** What Outlook puts before the subject of a mail that was read, or deleted unread, in its languages. */
const PREFIXES = [
  '(not )?read',
  '(nicht |un)?gelesen( gelöscht)?',
  '(non )?lue?',
  '(no )?leído',
  '(non )?letto',
  '(não )?lid[ao]',
  '(niet |on)?gelezen',
  'o?läst',
  '(ikke |u)?læst',
  '(ikke |u)?lest',
  '(ei )?luettu|lukematon|lukematta',
  '(nie ?)?(przeczytan[eoy]|odczytan[eoy])',
  '(ne)?přečteno',
  '(ne)?prečítané',
  'elolvasva|olvasott|olvasatlan',
  '(ne)?citit',
  '(не ?)?(прочитано|прочтено|прочетено)',
  '(ne)?(pročitano|prebrano)',
  '(ne)?perskaityta|(ne)?izlasīts|(loetud|lugemata)',
  '(δεν )?(αναγνώ?στηκε|αναγνώσθηκε|διαβάστηκε)|αναγνωσμένο',
  'okundu|okunmadı',
  'llegit|dibaca|telah dibaca|đã đọc|อ่านแล้ว',
  '(לא )?נקרא',
  'مقروءة?|تمت القراءة|غير مقروءة?',
  '開封済み?|既読|未開封',
  '已读|已讀(取)?|未读|未讀(取)?',
  '읽음|읽지 않음',
]
const PREFIX = new RegExp(`^\\s*(${PREFIXES.join('|')})\\s?[:：]\\s*`, 'iu')

const MESSAGE =
  /message|nachricht|mensaje|messaggio|mensagem|bericht|meddelande|meddelelse|melding|viesti|wiadomoś|zpráva|správa|üzenet|mesaj|съобщение|poruka|sporočilo|сообщение|повідомлення|laišk|ziņojum|sõnum|μήνυμα|[iİ]leti|missatge|pesan|thư|ข้อความ|הודע|رسال|メッセージ|邮件|郵件|메시지/iu
const WAS_READ =
  /\bread\b|gelesen|\blue?\b|leíd|\bleyó\b|letto|\blid[ao]\b|gelezen|\bläst|\blæst|\blest\b|luettu|lukematta|przeczyt|odczyt|přečten|prečítan|olvas|citit|прочит|прочт|прочет|pročitan|prebran|perskait|izlasīt|loet|lugemata|διαβάσ|αναγν|okun|llegit|dibaca|đọc|อ่าน|קרא|قراء|開封|読|读|讀|읽/iu
const LABELLED = /^[^:：]{1,40}[:：]\s*(.*)$/u
/** Whom it was to, its subject, and when it was sent. What a person's program puts over a quotation also says from whom. */
const LABELS = 3
const LONGEST = 2_000

/**
 * A receipt of Outlook that lost, or never had, the part that RFC 8098 asks for: the words that show it, else null. Its subject alone shows
 * nothing, since a person may begin theirs like that. Its text is that of a form, and names our subject; one without a text names it
 * in a header, which changes with the subject where a person writes another.
 */
export function readReceipt(mail: InboundMail): string | null {
  const prefix = PREFIX.exec(mail.subject)?.[0]
  if (!prefix) return null
  const subject = bareSubject(mail.subject.slice(prefix.length))
  if (subject === '') return null
  const text = mail.text.slice(0, LONGEST + 1).trim()
  if (text !== '') return isForm(text, subject) ? prefix.trim() : null
  const isAlone = mail.attachments.every(({ content_type }) => content_type === 'application/ms-tnef')
  return isAlone && bareSubject(readHeader(mail, 'thread-topic')) === subject ? prefix.trim() : null
}

/** "Your message", the three lines, "was read on …", and not a word more. */
function isForm(text: string, subject: string): boolean {
  if (text.length > LONGEST) return false
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const [first = '', ...rest] = lines
  const labelled = rest.slice(0, LABELS).map((line) => LABELLED.exec(line)?.[1])
  const last = rest.slice(LABELS).join(' ')
  const isComplete = labelled.length === LABELS && labelled.every((value) => value !== undefined)
  const namesIt = labelled.some((value) => value !== undefined && bareSubject(value) === subject)
  return (
    isComplete &&
    namesIt &&
    first.length <= 60 &&
    MESSAGE.test(first) &&
    last.length <= 300 &&
    WAS_READ.test(last) &&
    /\d/.test(last)
  )
}
