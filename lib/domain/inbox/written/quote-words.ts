// What mail programs write above a quotation, in the languages in which they write it.

const either = (...lines: string[]) => lines.join('|')

/** "… wrote:" */
const VERBS = either(
  'wrote|writes|écrit|schrieb|ha scritto|escribió|va escriure|schreef|escreveu|skrev',
  'napisał|pisze|napsal|napísal|píše|kirjoitti|kirjutas|rakstīja|rašė|írta|yazdı|yazmış|a scris',
  'пишет|писал|написал|пише|написав|написа|napisao|napisala|napisal|έγραψε',
  '写道|寫道|のメッセージ|작성|đã viết|menulis|เขียนว่า|כתב|كتب',
)
export const VERB = new RegExp(VERBS, 'i')
/**
 * The verb at the end, followed at most by a name or time in brackets, as in "napsal(a)" and "ezt írta
 * (időpont: …)".
 */
export const VERB_LAST = new RegExp(`(${VERBS})[^\\s:]{0,4}( je)?( ?\\([^()]{0,80}\\))?$`, 'i')
/** What such a line begins with if not with the day. */
export const BEGIN =
  /^(on|le|am|il|il giorno|el|op|em|den|w dniu|dnia|dne|dňa|po|på|în|in data|pe|στις|на|pada|vào|ngày|في|בתאריך)[\s,.]/i

export const ORIGINAL =
  /^-{2,} ?(original message|ursprüngliche nachricht|message d'origine|mensaje original|messaggio originale|oorspronkelijk bericht|mensagem original|originalmeddelande|forwarded message)/i
/** The same in any language, if the header of the quoted message follows. */
export const BETWEEN_DASHES = /^-{3,}[^-]{3,60}-{3,}$/

const FROM_WORDS = either(
  'from|von|de|da|van|från|fra|od|nadawca|odesílatel|odosielateľ|lähettäjä|saatja|nuo|feladó|kimden|gönderen|de la|expeditor',
  'от|от кого|від|від кого|από|šalje|pošiljatelj|dari|từ|发件人|寄件者|寄件人|差出人|보낸 사람|보낸사람|מאת|من',
)
export const FROM = new RegExp(`^\\*?(${FROM_WORDS})\\*?\\s{0,5}[:：].{1,200}$`, 'i')
const SENT_WORDS = either(
  'sent|date|gesendet|datum|envoyé|enviado|enviado el|enviada em|inviato|verzonden|skickat|sendt|data|an|to|à|para|a',
  'wysłano|wysłane|data wysłania|do|odesláno|odoslané|dátum|komu|lähetetty|päivämäärä|päiväys|vastaanottaja|saadetud|kuupäev|išsiųsta|kam',
  'till|til|elküldve|küldve|címzett|gönderildi|gönderilme tarihi|tarih|kime|trimis|trimis la|către|dată',
  'отправлено|дата|кому|надіслано|изпратено|до|εστάλη|στάλθηκε|αποστολή|ημερομηνία|προς|poslano|za|dikirim|tanggal|kepada|đã gửi|ngày|tới',
  '发送时间|日期|收件人|寄件日期|傳送時間|收件者|送信日時|宛先|日時|보낸 날짜|보낸날짜|날짜|받는 사람|받는사람|נשלח|תאריך|אל|تاريخ|إلى|التاريخ',
)
export const SENT = new RegExp(`^\\*?(${SENT_WORDS})\\*?\\s{0,5}[:：]`, 'i')
