import { describe, expect, test } from 'vitest'
import { returnDay } from '#lib/domain/inbox/absence/return-date'
import { eml, judge, LEAD, OUR_ID, RECEIVED } from '#tests/support/scenes/inbound-mail'

const THREAD = `In-Reply-To: ${OUR_ID}\nReferences: ${OUR_ID}`

describe('an automatic answer is known by', () => {
  test.each([
    {
      name: 'Gmail vacation responder',
      headers: `Subject: Out of office Re: Quick question\nAuto-Submitted: auto-replied\nPrecedence: bulk\nX-Autoreply: yes\n${THREAD}`,
      text: 'I am out of the office until March 9, 2026.',
      returns_on: '2026-03-09',
    },
    {
      name: 'Boxbe, which asks whether a person wrote',
      headers: `Subject: Re: Quick question (Action Required)\n${THREAD}`,
      text: 'Hello,\n\nYour message about "Quick question" was waitlisted.\n\nPowered by Boxbe -- "End Email Overload"',
    },
    {
      name: 'Spam Arrest, which asks the same',
      headers: `Subject: Re: Quick question [verification]\n${THREAD}`,
      text: 'Just this once, click the link below:\n\nhttp://www.spamarrest.com/a2?abc',
    },
    {
      name: 'Mailinblack, in French',
      headers: `Subject: Re: Quick question\n${THREAD}`,
      text: 'Bonjour,\n\nVotre message est en attente. Merci de cliquer sur ce lien pour vous authentifier.',
    },
    {
      name: 'Outlook 365 in English',
      headers: `Subject: Automatic reply: Quick question\nauto-submitted: auto-generated\nX-Auto-Response-Suppress: All\nX-MS-Exchange-Inbox-Rules-Loop: ada@lead.test\n${THREAD}`,
      text: 'Thank you for your email. I am on annual leave, returning on Monday 16 March. For urgent matters contact Bob.',
      returns_on: '2026-03-16',
    },
    {
      name: 'Outlook 365 in German',
      headers: `Subject: Automatische Antwort: Quick question\nAuto-Submitted: auto-generated\n${THREAD}`,
      text: 'Guten Tag,\nich bin bis einschließlich 13.03.2026 nicht im Büro. Ihre E-Mail wird nicht weitergeleitet.',
      returns_on: '2026-03-13',
    },
    {
      name: 'Outlook in French by subject alone',
      headers: `Subject: =?utf-8?q?R=C3=A9ponse_automatique_=3A_Quick_question?=\n${THREAD}`,
      text: 'Je suis absente jusqu’au 9 mars. Cordialement',
      returns_on: '2026-03-09',
    },
    {
      name: 'Outlook in Spanish by subject alone',
      headers: `Subject: =?utf-8?q?Respuesta_autom=C3=A1tica=3A_Quick_question?=\n${THREAD}`,
      text: 'Estoy de vacaciones hasta el 20 de marzo de 2026.',
      returns_on: '2026-03-20',
    },
    {
      name: 'Outlook in Italian by subject alone',
      headers: `Subject: Risposta automatica: Quick question\n${THREAD}`,
      text: 'Sono fuori ufficio fino al 6 marzo.',
      returns_on: '2026-03-06',
    },
    {
      name: 'Outlook in Dutch by subject alone',
      headers: `Subject: Automatisch antwoord: Quick question\n${THREAD}`,
      text: 'Ik ben afwezig tot en met 9 maart.',
      returns_on: '2026-03-09',
    },
    {
      name: 'Outlook in Portuguese by subject alone',
      headers: `Subject: =?utf-8?q?Resposta_autom=C3=A1tica=3A_Quick_question?=\n${THREAD}`,
      text: 'Estou de férias até 15/03/2026.',
      returns_on: '2026-03-15',
    },
    {
      name: 'Outlook in Swedish',
      headers: `Subject: Automatiskt svar: Quick question\n${THREAD}`,
      text: 'Jag är på semester.',
    },
    {
      name: 'Outlook in Danish',
      headers: `Subject: Automatisk svar: Quick question\n${THREAD}`,
      text: 'Jeg holder ferie.',
    },
    {
      name: 'Notes in Norwegian',
      headers: `Subject: Autosvar: Quick question\n${THREAD}`,
      text: 'Jeg er på ferie.',
    },
    {
      name: 'Outlook in Finnish',
      headers: `Subject: Automaattinen vastaus: Quick question\n${THREAD}`,
      text: 'Olen lomalla.',
    },
    {
      name: 'Outlook in Polish',
      headers: `Subject: =?utf-8?q?Odpowied=C5=BA_automatyczna=3A_Quick_question?=\n${THREAD}`,
      text: 'Jestem na urlopie do 9 marca.',
    },
    {
      name: 'Outlook in Czech',
      headers: `Subject: =?utf-8?b?QXV0b21hdGlja8OhIG9kcG92xJvEjzogUXVpY2sgcXVlc3Rpb24=?=\n${THREAD}`,
      text: 'Jsem mimo kancelář.',
    },
    {
      name: 'Outlook in Hungarian',
      headers: `Subject: =?utf-8?q?Automatikus_v=C3=A1lasz=3A_Quick_question?=\n${THREAD}`,
      text: 'Szabadságon vagyok.',
    },
    {
      name: 'Outlook in Russian',
      headers: `Subject: =?utf-8?b?${Buffer.from('Автоматический ответ: Quick question').toString('base64')}?=\n${THREAD}`,
      text: 'Меня нет.',
    },
    {
      name: 'Outlook in Japanese',
      headers: `Subject: =?utf-8?b?${Buffer.from('自動応答: Quick question').toString('base64')}?=\n${THREAD}`,
      text: '3月9日まで不在です。',
    },
    {
      name: 'Outlook in Chinese',
      headers: `Subject: =?utf-8?b?${Buffer.from('自动答复: Quick question').toString('base64')}?=\n${THREAD}`,
      text: '我在休假。',
    },
    {
      name: 'Outlook in Turkish',
      headers: `Subject: =?utf-8?b?${Buffer.from('Otomatik yanıt: Quick question').toString('base64')}?=\n${THREAD}`,
      text: 'Ofiste değilim.',
    },
    {
      name: 'Exchange on premises',
      headers: `Subject: Out of Office: Quick question\nX-Auto-Response-Suppress: OOF`,
      text: 'I am away.',
    },
    {
      name: 'Lotus Notes',
      headers:
        'Subject: Ada Lovelace is out of the office. (returning 03/09/2026)\nAuto-Submitted: auto-generated',
      text: 'I will be out.',
      returns_on: '2026-03-09',
    },
    {
      name: 'Lotus Notes in German',
      headers: 'Subject: Abwesenheitsnotiz: Quick question',
      text: 'Ich kehre am Montag zurück, ab 9. März wieder da.',
      returns_on: '2026-03-09',
    },
    {
      name: 'vacation(1) by its precedence',
      headers: `Subject: Re: Quick question\nPrecedence: junk\n${THREAD}`,
      text: 'I am on vacation.',
    },
    {
      name: 'Sieve vacation (RFC 5230)',
      headers: `Subject: Auto: Quick question\nAuto-Submitted: auto-replied (vacation)\n${THREAD}`,
      text: 'Away.',
    },
    {
      name: 'Exim autoreply',
      headers: `Subject: Re: Quick question\nAuto-Submitted: auto-replied\n${THREAD}`,
      text: 'Away until Friday.',
      returns_on: '2026-03-06',
    },
    {
      name: 'cPanel autoresponder',
      headers: `Subject: Away\nX-Autorespond: Quick question\nPrecedence: auto_reply`,
      text: 'Away.',
    },
    {
      name: 'Yahoo vacation',
      headers: `Subject: Re: Quick question [Vacation]\nX-Autoreply: yes\n${THREAD}`,
      text: 'On vacation.',
    },
    {
      name: 'iCloud vacation',
      headers: `Subject: Re: Quick question\nAuto-Submitted: auto-replied\nX-Autoreply: 1`,
      text: 'Back on 12 March.',
      returns_on: '2026-03-12',
    },
    {
      name: 'Zoho vacation',
      headers: `Subject: Out of Office: Quick question\nX-ZohoMail: vacation\nAuto-Submitted: auto-replied`,
      text: 'Away.',
    },
    {
      name: 'Zimbra vacation',
      headers: `Subject: Re: Quick question\nAuto-Submitted: auto-replied (zimbra; vacation)\nPrecedence: bulk`,
      text: 'Away.',
    },
    {
      name: 'FirstClass',
      headers: 'Subject: Re: Quick question\nX-FC-MachineGenerated: true',
      text: 'Away.',
    },
    {
      name: 'a null return path',
      headers: `Return-Path: <>\nSubject: Re: Quick question\n${THREAD}`,
      text: 'Thanks, we got it.',
    },
    {
      name: 'Delivered-To an autoresponder',
      headers: 'Delivered-To: Autoresponder\nSubject: Re: Quick question',
      text: 'Got it.',
    },
    {
      name: 'a helpdesk’s receipt',
      headers: `Subject: [Ticket #48121] received: Quick question\nAuto-Submitted: auto-generated\n${THREAD}`,
      text: 'We received your request.',
    },
    {
      name: 'a helpdesk’s thanks by subject alone',
      headers: `Subject: Thank you for contacting Lead Ltd\n${THREAD}`,
      text: 'We will answer within two days.',
    },
    {
      name: 'two weak signs',
      headers: `Subject: Re: Quick question\nX-Auto-Response-Suppress: All\n${THREAD}`,
      text: 'I am currently out of the office with limited access to email.',
    },
    {
      name: 'an external tag before the prefix',
      headers: `Subject: [EXTERNAL] Automatic reply: Quick question\n${THREAD}`,
      text: 'Away.',
    },
    {
      name: 'a challenge to prove oneself',
      headers: `Subject: Re: Quick question (verification required)\nAuto-Submitted: auto-replied\n${THREAD}`,
      text: 'Click to be let in.',
    },
    {
      name: 'a calendar assistant',
      headers: `Subject: Declined: Intro\nAuto-Submitted: auto-generated\n${THREAD}`,
      text: 'Declined.',
    },
    {
      name: 'an alias that answers for the lead',
      headers: `From: Ada <a.lovelace@other.test>\nSubject: Automatic reply: Quick question\n${THREAD}`,
      text: 'Away.',
    },
  ])('$name', async ({ headers, text, ...rest }) => {
    const { kind, reading } = await judge(eml(headers, text))
    expect(kind).toBe('automatic_reply')
    expect(reading.evidence.length).toBeGreaterThan(0)
    if ('returns_on' in rest) expect(reading.returns_on).toBe(rest.returns_on)
  })

  test('a read receipt (RFC 8098)', async () => {
    const raw = eml(
      `Subject: Read: Quick question\n${THREAD}\nMIME-Version: 1.0\nContent-Type: multipart/report; report-type=disposition-notification; boundary=b`,
      `--b\nContent-Type: text/plain\n\nYour message was read.\n\n--b\nContent-Type: message/disposition-notification\n\nFinal-Recipient: rfc822;${LEAD}\nDisposition: manual-action/MDN-sent-manually; displayed\n--b--`,
    )
    expect((await judge(raw)).kind).toBe('automatic_reply')
  })
})

describe('a person is not taken for a program', () => {
  test.each([
    {
      name: 'who answers an automatic reply',
      headers: `Subject: Re: Automatic reply: Quick question\n${THREAD}`,
      text: 'Back now. Yes, call me.',
    },
    {
      name: 'who says to be away soon',
      headers: `Subject: Re: Quick question\n${THREAD}`,
      text: 'Sure! I am out of office until Friday, can we talk next week?',
    },
    {
      name: 'whose program says Auto-Submitted: no',
      headers: `Subject: Re: Quick question\nAuto-Submitted: no\n${THREAD}`,
      text: 'Yes.',
    },
    {
      name: 'whose company suppresses responders',
      headers: `Subject: Re: Quick question\nX-Auto-Response-Suppress: DR, OOF, AutoReply\n${THREAD}`,
      text: 'Yes, tell me more.',
    },
    {
      name: 'whose mail a rule passed on',
      headers: `Subject: Re: Quick question\nX-MS-Exchange-Inbox-Rules-Loop: ada@lead.test\n${THREAD}`,
      text: 'Interesting.',
    },
    {
      name: 'who quotes our words about vacations',
      headers: `Subject: Re: Quick question\nX-Auto-Response-Suppress: All\n${THREAD}`,
      text: 'Yes.\n\nOn Mon, 2 Mar 2026 at 09:00, Dana wrote:\n> I am out of the office next week',
    },
    {
      name: 'who answers through a list',
      headers: `Subject: Re: Quick question\nPrecedence: list\nList-Id: <team.lead.test>\n${THREAD}`,
      text: 'Yes.',
    },
  ])('$name', async ({ headers, text }) => {
    expect((await judge(eml(headers, text))).kind).toBe('reply')
  })
})

describe('the day of return', () => {
  test.each([
    ['back on 9 March', '2026-03-09'],
    ['I will return on March 9th, 2026.', '2026-03-09'],
    ['away from March 3 to March 9', '2026-03-09'],
    ['until 2026-03-09', '2026-03-09'],
    ['until 3/9/2026', '2026-03-09'],
    ['until 9/3', '2026-03-09'],
    ['until 25/3/2026', '2026-03-25'],
    ['bis 09.03.', '2026-03-09'],
    ['vom 02.03. bis 06.03.2026', '2026-03-06'],
    ['ab dem 9. März bin ich wieder da', '2026-03-09'],
    ['de retour le 9 mars', '2026-03-09'],
    ['hasta el 9 de marzo', '2026-03-09'],
    ['rientrerò il 9 marzo', '2026-03-09'],
    ['terug op 9 maart', '2026-03-09'],
    ['back on Monday', '2026-03-09'],
    ['back on 5 October', '2026-10-05'],
    // A past date: an old notice that was left on.
    ['back on 5 January', null],
    ['until 31 February', null],
    ['My number is 030/1234 and the fair is on 9 March.', null],
    ['Nothing here.', null],
  ])('%s', (text, day) => expect(returnDay(text, RECEIVED)?.day ?? null).toBe(day))

  test('of 300 KB of dates does not hold anybody up', () => {
    expect(returnDay('until 3/9 '.repeat(30_000), RECEIVED)?.day).toBe(returnDay('until 3/9', RECEIVED)?.day)
  })
})
