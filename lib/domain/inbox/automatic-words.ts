// What auto-responders of various vendors and languages put before the subject. Anchored at the start: "Re:
// Automatic reply: …" is written by a person.
const PREFIXES = [
  // Outlook and Exchange in their languages, old and new versions
  'automatic reply',
  'auto(matic)?[ -]?(response|reply|responder)',
  'autoreply',
  'automatische antwort',
  'automatische antwoord',
  'automatisch antwoord',
  'réponse automatique',
  'respuesta automática',
  'resposta automática',
  'risposta automatica',
  'automatiskt svar',
  'autosvar',
  'automatisk svar',
  'automatisches? svar',
  'automaattinen vastaus',
  'automatická odpověď',
  'automatická odpoveď',
  'odpowiedź automatyczna',
  'automatyczna odpowiedź',
  'automatikus válasz',
  'răspuns automat',
  'автоматический ответ',
  'автоматична відповідь',
  'автоматичен отговор',
  'αυτόματη απάντηση',
  'otomatik yanıt',
  'תשובה אוטומטית',
  'الرد التلقائي|رد تلقائي',
  '自動応答|自動返信',
  '自动答复|自动回复',
  '自動回覆',
  '자동 회신|자동 응답',
  'balasan otomatis',
  'trả lời tự động',
  'การตอบกลับอัตโนมัติ',
  // Written by people and by older programs
  'out of (the )?office',
  'out[ -]of[ -]office( auto ?reply)?',
  'ooo\\b',
  'away from (my|the) (office|desk|mail)',
  'on (annual |parental |maternity |paternity |sick )?(leave|vacation|holiday)',
  'i am (currently )?(out|away|on (leave|vacation|holiday))',
  'vacation (reply|notice|response|message)',
  'abwesenheit(snotiz|sassistent|smeldung)?',
  'abwesend',
  'nicht im büro|nicht im haus|im urlaub',
  'absence du bureau|absent(e)? du bureau|message d.absence|absence',
  'fuera de (la )?oficina|ausente|ausencia',
  'fuori (sede|ufficio)|assente|assenza',
  'afwezig(heid)?|afwezigheidsassistent|niet op kantoor',
  'fora do escrit[óo]rio|ausência|ausente do escrit',
  'frånvaro(meddelande)?|ikke til stede|fraværsmelding|fravær|fraværende|poissa(olo)?',
  'poza biurem|nieobecn',
  'mimo kancelář|nepřítomn',
  'нет на работе|отсутствую|вне офиса',
  '不在(通知|のお知らせ|届)?',
  // Helpdesks that acknowledge receipt
  '\\[?(ticket|case|request)[ #:-].{0,40}\\]?.{0,30}(received|opened|created)',
  'thank you for (your (e-?mail|message|enquiry|inquiry)|contacting)',
  'we( have|.ve)? received your (e-?mail|message|request)',
]

export const AUTOMATIC_SUBJECT = new RegExp(
  `^\\s*(\\[(auto|ooo|external|ext)\\]\\s*)*\\[?(${PREFIXES.join('|')})`,
  'iu',
)

/** Phrases about one's own absence. Only counts as a second sign, because people write them too. */
export const OUT_OF_OFFICE_TEXT =
  /\b(out of (the )?office|on (annual |parental |maternity |paternity )?(leave|vacation|holiday)|away from (my|the) (desk|office|e-?mail)|limited access to (my )?e-?mail|will (reply|respond|get back to you) (when|upon|on) (i|my) ?return|automat(ed|ic) (reply|response|message)|auto-?reply|ich bin (derzeit |aktuell |momentan )?(nicht im (büro|haus)|abwesend|im urlaub)|bin ich (nicht im (büro|haus)|abwesend|im urlaub)|je suis (actuellement )?(absente?|en congés?)|estoy (fuera|de vacaciones|ausente)|estaré (fuera|ausente)|sono (fuori|in ferie|assente)|ik ben (niet op kantoor|afwezig|met vakantie)|estou (fora|de férias|ausente)|jag är (inte på kontoret|på semester|frånvarande|ledig)|jestem (na urlopie|nieobecn))/i

/** Phrases of programs that hold a mail back until its sender proves to be a person. */
export const CHALLENGE_TEXT =
  /\b(powered by boxbe|spamarrest\.com|your message (is being held|has been held|was waitlisted)|solution de sécurité mailinblack|votre message est en attente)\b/i

/** Outlook's subject prefixes, by language, for a mail that was read or deleted unread. */
const RECEIPT_PREFIXES = [
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
export const RECEIPT_SUBJECT = new RegExp(`^\\s*(${RECEIPT_PREFIXES.join('|')})\\s?[:：]\\s*`, 'iu')

/** The words for "message" and "was read" in the text of a receipt. */
export const RECEIPT_MESSAGE =
  /message|nachricht|mensaje|messaggio|mensagem|bericht|meddelande|meddelelse|melding|viesti|wiadomoś|zpráva|správa|üzenet|mesaj|съобщение|poruka|sporočilo|сообщение|повідомлення|laišk|ziņojum|sõnum|μήνυμα|[iİ]leti|missatge|pesan|thư|ข้อความ|הודע|رسال|メッセージ|邮件|郵件|메시지/iu
export const RECEIPT_READ =
  /\bread\b|gelesen|\blue?\b|leíd|\bleyó\b|letto|\blid[ao]\b|gelezen|\bläst|\blæst|\blest\b|luettu|lukematta|przeczyt|odczyt|přečten|prečítan|olvas|citit|прочит|прочт|прочет|pročitan|prebran|perskait|izlasīt|loet|lugemata|διαβάσ|αναγν|okun|llegit|dibaca|đọc|อ่าน|קרא|قراء|開封|読|读|讀|읽/iu
