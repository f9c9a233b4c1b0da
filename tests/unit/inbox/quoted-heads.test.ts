import { describe, expect, test } from 'vitest'
import { newText } from '#lib/domain/inbox/new-text'
import { eml, judge, OUR_ID } from '#tests/support/scenes/inbound-mail'

const TOKEN = `u1.${'a'.repeat(64)}`
const LINK = `https://opener.test/unsubscribe/${TOKEN}`
/** Our mail, as shown by mail programs that do not mark quotes. */
const OURS = `Hello Ada,\n\nwe are interested in a call. Are you the right person?\n\nNot for you? ${LINK}`
const THREAD = `In-Reply-To: ${OUR_ID}\nReferences: ${OUR_ID}`

/** Quote headers of mail programs in each language; " / " stands for a line break. */
const HEADS = `
On Mon, 23 Nov 2026 at 09:00, Dana <d@x.test> wrote:
On Mon, Nov 23, 2026 at 9:00 AM Very Long Name Of Some Company / <very.long@x.test> wrote:
On 23/11/2026 09:00, Dana wrote:
Am Mo., 23. Nov. 2026 um 09:00 Uhr schrieb Dana Smith < / d@x.test>:
Am Montag, den 23.11.2026, 09:00 +0100 schrieb Dana Smith:
Le lun. 23 nov. 2026 à 09:00, Dana <d@x.test> a écrit :
El lun, 23 nov 2026 a las 9:00, Dana (<d@x.test>) escribió:
Il giorno lun 23 nov 2026 alle ore 09:00 Dana <d@x.test> ha / scritto:
Op ma 23 nov 2026 om 09:00 schreef Dana <d@x.test>:
Em seg., 23 de nov. de 2026 às 09:00, Dana <d@x.test> escreveu:
W dniu 23.11.2026 o 09:00, Dana pisze:
pon., 23 lis 2026 o 09:00 Dana <d@x.test> napisał(a):
po 23. 11. 2026 v 9:00 odesílatel Dana <d@x.test> napsal:
Dne 23. 11. 2026 v 9:00 Dana napsal(a):
Dňa 23. 11. 2026 o 9:00 Dana napísal(a):
ma 23. marrask. 2026 klo 9.00 Dana (d@x.test) kirjoitti:
23.11.2026 9.00, Dana kirjoitti:
пн, 23 нояб. 2026 г. в 09:00, Dana <d@x.test>:
23.11.2026 9:00, Dana пишет:
Понедельник, 23 ноября 2026, 9:00 +03:00 от Dana <d@x.test>:
пн, 23 лист. 2026 р. о 09:00 Dana <d@x.test> пише:
Dana <d@x.test> ezt írta (időpont: 2026. nov. 23., H, 9:00):
2026. 11. 23. 9:00 keltezéssel, Dana írta:
Dana <d@x.test>, 23 Kas 2026 Pzt, 09:00 tarihinde şunu yazdı:
Den man. 23. nov. 2026 kl. 09.00 skrev Dana <d@x.test>:
man. 23. nov. 2026 kl. 09:00 skrev Dana <d@x.test>:
Den mån 23 nov. 2026 kl 09:00 skrev Dana <d@x.test>:
În lun., 23 nov. 2026 la 09:00, Dana <d@x.test> a scris:
Στις Δευ 23 Νοε 2026 στις 9:00 π.μ., ο χρήστης Dana <d@x.test> έγραψε:
На пн, 23.11.2026 г. в 9:00 Dana <d@x.test> написа:
pon, 23. stu 2026. u 09:00 Dana <d@x.test> napisao je:
E, 23. november 2026 kell 09:00 Dana <d@x.test> kirjutas:
2026年11月23日(月) 9:00 Dana <d@x.test>:
Dana <d@x.test> 于2026年11月23日周一 09:00写道：
2026년 11월 23일 (월) 오전 9:00, Dana <d@x.test>님이 작성:
-----Původní zpráva----- / Od: Dana <d@x.test>
-----Oryginalna wiadomość----- / Od: Dana
-------- Alkuperäinen viesti -------- / Lähettäjä: Dana <d@x.test>
-----Исходное сообщение----- / От: Dana
Od: Dana <d@x.test> / Odesláno: pondělí 23. listopadu 2026 9:00 / Komu: Ada
Od: Dana <d@x.test> / Wysłane: poniedziałek, 23 listopada 2026 09:00 / Do: Ada
Lähettäjä: Dana <d@x.test> / Lähetetty: maanantai 23. marraskuuta 2026 9.00
От: Dana <d@x.test> / Отправлено: 23 ноября 2026 г. 9:00 / Кому: Ada
Від: Dana <d@x.test> / Надіслано: 23 листопада
Feladó: Dana <d@x.test> / Elküldve: 2026. november 23.
Kimden: Dana <d@x.test> / Gönderildi: 23 Kasım 2026
Fra: Dana <d@x.test> / Sendt: 23. november 2026 / Til: Ada
De la: Dana <d@x.test> / Trimis: luni, 23 noiembrie 2026
Από: Dana <d@x.test> / Στάλθηκε: Δευτέρα
发件人: Dana <d@x.test> / 发送时间: 2026年11月23日
差出人: Dana <d@x.test> / 送信日時: 2026年11月23日
`
  .trim()
  .split('\n')
  .map((head) => head.replaceAll(' / ', '\n'))

describe('what a person wrote ends where their program introduces our mail', () => {
  test.each(HEADS)('%s', async (head) => {
    for (const own of [
      'Yes, call me.',
      'Call me on 3.12.2026 at 10:00',
      'Thanks!\n\nAda Lovelace\nACME, 2026',
    ]) {
      expect(newText(`${own}\n\n${head}\n\n${OURS}`)).toBe(own)
      expect(newText(`${own}\n${head}\n${OURS}`)).toBe(own)
    }
    const { kind, reading } = await judge(
      eml(`Content-Type: text/plain; charset=utf-8\n${THREAD}`, `Yes, call me.\n\n${head}\n\n${OURS}`),
    )
    expect(kind).toBe('reply')
    expect(reading.unsubscribe).toBeNull()
  })
})

describe('of a sentence that only reads like that nothing is lost', () => {
  test.each([
    'On Monday I wrote you that we are not interested.',
    'On 2 March I wrote to Dana about this, she has not answered.',
    'On 3.12.2026 at 10:00 works for me, as I wrote',
    'As I wrote on 2 March 2026:',
    'Le document est écrit en anglais.',
    'Le cahier des charges est écrit ainsi:',
    'Am Montag schrieb mir Ihr Kollege, dass es teurer wird.',
    'Il documento che ha scritto Dana non va bene',
    'El correo que escribió Dana',
    'You wrote to me on 2026-03-02 at 09:00 and I said no.',
    '--- pricing ---',
    'From: 9 to 5 we are there',
    'Date: 30 November 2026, 10:00',
    'Please write to Bob <bob@x.test>: he knows.',
  ])('%s', (line) => {
    const text = `${line}\nMore words.\n\nAda`
    expect(newText(text)).toBe(text)
  })
})

const HEAD = 'On Mon, 2 Mar 2026 at 09:00, Dana <d@x.test> wrote:'

describe('whoever writes below what they quote wrote that', () => {
  test.each([
    ['> Hello Ada\n> would you?\n\nYes, call me.\n\nAda', 'Yes, call me.\n\nAda'],
    [`${HEAD}\n> Hello\n> Not for you? ${LINK}\n\nPlease stop.\n-- \nAda`, 'Please stop.'],
    [`${HEAD}\n\n> Hello\n>\n> Would you like a call?\nYes.\n`, 'Yes.'],
    ['> Price?\n\n10 Euro.\n\n> When?\n\nMonday.', '10 Euro.\n\nMonday.'],
    // The wrapped end of a quoted line is no reply text.
    ['> a long line that was\nwrapped\n> more\n\nYes.', 'Yes.'],
    [`> Hi\n\nYes.\n\n${HEAD}\nquoted`, 'Yes.'],
    // Unmarked text may be entirely theirs or entirely ours.
    [`${HEAD}\n\nHello Ada, unmarked`, ''],
    ['-----Original Message-----\nFrom: Dana\n\nHello', ''],
    ['> Hello\n', ''],
    ['See below.\n\n> Q\n\nA', 'See below.'],
  ])('%j', (text, own) => expect(newText(text)).toBe(own))
})

describe('a link of ours that they quote is no wish of theirs', () => {
  const quoted = (footer: string) => `Yes, call me.\n\nDana napisał:\n\nHello Ada,\n\n${footer}`

  test.each([
    `Not for you? ${LINK}`,
    `Unsubscribe [${LINK}]`,
    `Unsubscribe <${LINK}>`,
    `Unsubscribe: https://eur01.safelinks.test/?url=https%3A%2F%2Fopener.test%2Funsubscribe%2F${TOKEN}&data=1`,
  ])('%s', async (footer) => {
    const { kind, reading, mail } = await judge(eml(THREAD, quoted(footer)))
    expect(kind).toBe('reply')
    expect(reading.unsubscribe).toBeNull()
    expect(reading.intent?.intent).not.toBe('stop')
    expect(mail.new_text).not.toContain('nsubscribe')
  })

  test('the same token by itself is: it is what a mail program writes', async () => {
    const { reading } = await judge(eml('Subject: unsubscribe', `unsubscribe ${TOKEN}`))
    expect(reading.unsubscribe).toEqual({ by: 'token', token: TOKEN })
  })
})
