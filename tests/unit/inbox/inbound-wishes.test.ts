import { describe, expect, test } from 'vitest'
import { unsubscribeToken } from '#lib/domain/tokens/unsubscribe-token'
import { ACTION, eml, judge, LEAD, OUR_ID, RETURNED, US } from '#tests/support/scenes/inbound-mail'

const THREAD = `In-Reply-To: ${OUR_ID}\nReferences: ${OUR_ID}`
const TOKEN = unsubscribeToken({ workspace_id: ACTION, action_id: ACTION }, Buffer.alloc(32, 1)) ?? ''

const arf = (
  fields: string,
  returned = RETURNED,
  type = 'message/feedback-report',
  from = 'feedback@arf.isp.test',
) =>
  eml(
    `From: <${from}>\nSubject: FW: Quick question\nMIME-Version: 1.0\nContent-Type: multipart/report; report-type=feedback-report; boundary=b`,
    `--b\nContent-Type: text/plain\n\nThis is an email abuse report.\n\n--b\nContent-Type: ${type}\n\n${fields}\n\n--b\nContent-Type: message/rfc822\nContent-Disposition: inline\n\n${returned}\n\nHello\n--b--`,
  )
const REDACTED = RETURNED.replace(LEAD, 'redacted@lead.test')

describe('a complaint is', () => {
  test.each([
    {
      name: 'abuse, as RFC 5965 prints it',
      raw: arf(
        `Feedback-Type: abuse\nUser-Agent: SomeGenerator/1.0\nVersion: 1\nOriginal-Mail-From: <${US}>\nOriginal-Rcpt-To: <${LEAD}>`,
      ),
    },
    {
      name: 'Yahoo’s, redacted',
      raw: arf('Feedback-Type: abuse\nUser-Agent: Yahoo!-Mail-Feedback/2.0\nVersion: 0.1', REDACTED),
    },
    {
      name: 'AOL’s, redacted',
      raw: arf(
        'Feedback-Type: abuse\nUser-Agent: AOL SComp\nVersion: 0.1\nRedacted-Address: redacted',
        REDACTED,
      ),
    },
    { name: 'fraud', raw: arf('Feedback-Type: fraud\nVersion: 1') },
    { name: 'virus', raw: arf('Feedback-Type: virus\nVersion: 1') },
    { name: 'other', raw: arf('Feedback-Type: other\nVersion: 1') },
    { name: 'of a type nobody registered', raw: arf('Feedback-Type: miscategorized\nVersion: 1') },
    {
      name: 'known by its recipient alone',
      raw: arf(`Feedback-Type: abuse\nOriginal-Rcpt-To: ${LEAD}`, RETURNED.replace(OUR_ID, '<redacted@x>')),
    },
    {
      name: 'Microsoft’s JMRP: the message and no report',
      raw: eml(
        'From: staff@hotmail.com\nSubject: complaint about message from 192.0.2.10\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b',
        `--b\nContent-Type: message/rfc822\n\nX-HmXmrOriginalRecipient: ${LEAD}\n${RETURNED}\n\nHello\n--b--`,
      ),
    },
  ])('$name', async ({ raw }) => {
    const { kind, reading } = await judge(raw)
    expect(kind).toBe('complaint')
    expect(reading.feedback_type).not.toBeNull()
  })

  test.each(['not-spam', 'auth-failure'])('not %s', async (type) => {
    expect((await judge(arf(`Feedback-Type: ${type}`))).kind).toBe('unrelated')
  })

  test('an opt-out is a wish, not a complaint', async () => {
    expect((await judge(arf('Feedback-Type: opt-out'))).kind).toBe('unsubscribe')
  })
})

describe('a wish for no more mail is', () => {
  test.each([
    {
      name: 'the mail that a List-Unsubscribe link writes',
      headers: `From: x@private.test\nSubject: unsubscribe ${TOKEN}`,
      text: '',
    },
    {
      name: 'that mail, sent by a program',
      headers: `From: no-reply@isp.test\nSubject: unsubscribe ${TOKEN}\nAuto-Submitted: auto-generated`,
      text: '',
    },
    ...[
      'unsubscribe',
      'Unsubscribe.',
      'UNSUBSCRIBE ME',
      'Please unsubscribe me from this list',
      'Remove me',
      'please remove me from your mailing list, thanks',
      'Hi,\n\nremove me from your list.\n\nBest,\nAda',
      'Take me off your list',
      'stop emailing me',
      "Please don't contact me again",
      'STOP',
      'opt out',
      'No more emails please',
      'No thanks, unsubscribe',
      'Hi Dana,\n\nSTOP\n\nBest regards,\nAda Lovelace',
      'Sehr geehrte Frau Meier,\n\nbitte abmelden.\n\nAda',
      'Bitte abmelden',
      'Bitte keine weiteren Mails mehr',
      'Nehmen Sie mich aus dem Verteiler',
      'Merci de me désinscrire',
      'Darme de baja por favor',
      'Cancellatemi dalla lista',
      'Graag uitschrijven',
      'отпишите меня',
      'Bitte entfernen Sie mich von Ihrer Liste',
      'Bitte löschen Sie mich aus Ihrem Verteiler',
      'Ich möchte keine E-Mails mehr erhalten',
      'Bitte keine Werbung mehr',
      'Abmeldung',
      'Désabonnez-moi',
      'Merci de me retirer de votre liste',
      'Je ne souhaite plus recevoir vos emails',
      'STOP SVP',
      'Por favor elimínenme de su lista',
      'No me escriban más, gracias',
      'Quiero darme de baja',
      'Cancelar suscripción',
      'Per favore rimuovetemi dalla vostra lista',
      'Non voglio più ricevere email',
      'Verwijder mij uit uw lijst',
      'Ik wil geen mails meer ontvangen',
      'Por favor, remova-me da lista',
      'Não quero receber mais emails, obrigada',
      'Proszę usunąć mój adres z bazy',
      'Nie chcę otrzymywać maili',
      'Ta bort mig från listan, tack',
      'Fjern meg fra listen',
      'Удалите меня из рассылки',
      'Lütfen beni listeden çıkarın',
      '配信を停止してください',
      '请不要再发邮件',
      '수신 거부 부탁드립니다',
      '退订',
      `unsubscribe\n\nOn Mon, 2 Mar 2026, Dana <${US}> wrote:\n> Hello Ada, would you`,
    ].map((text) => ({ name: text.split('\n')[0] ?? '', headers: THREAD, text })),
  ])('$name', async ({ headers, text }) => {
    expect((await judge(eml(headers, text))).kind).toBe('unsubscribe')
  })

  test.each([
    'How do I unsubscribe your competitor and move to you?',
    'We do not want to stop sending newsletters. Could you help us?',
    `Yes please!\n\n> If this is not for you, unsubscribe`,
    'I remove old entries from my list every week. Call me.',
    'Die Abmeldung vom Seminar hat geklappt, wir können sprechen.',
    'Ich habe keine E-Mails mehr von Frau Meier bekommen, schicken Sie mir die Unterlagen?',
    'Je vais vous retirer une épine du pied : appelez-moi.',
    'Please call me on Monday, and do not stop there: we would love a demo for our whole team next week.',
  ])('not: %s', async (text) => {
    expect((await judge(eml(THREAD, text))).kind).toBe('reply')
  })

  test('said among other things, a person should look: flagged', async () => {
    const { kind, reading } = await judge(
      eml(
        THREAD,
        'We have a supplier for this already. Could you remove me from your list? Good luck with your product anyway, it looks nice.',
      ),
    )
    expect(kind).toBe('reply')
    expect(reading.unsubscribe).toMatchObject({ by: 'mention' })
  })

  test('a forged token is no link of ours', async () => {
    const { reading } = await judge(eml('From: x@y.test\nSubject: unsubscribe u1.short'))
    expect(reading.unsubscribe).not.toMatchObject({ by: 'token' })
  })
})
