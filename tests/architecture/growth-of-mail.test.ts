import { describe, expect, test } from 'vitest'
import { fieldsUsed, splitMergeFields, unknownFields, withFallback } from '#components/messages/merge-fields'
import { readResults } from '#lib/domain/domains/authentication-results'
import { checkDkim } from '#lib/domain/domains/dkim-record'
import { checkDmarc } from '#lib/domain/domains/dmarc'
import { readDmarcReport } from '#lib/domain/domains/dmarc-report'
import { organizationalDomain, readDomain } from '#lib/domain/domains/domain-name'
import { includeCovers } from '#lib/domain/domains/mail-hosts'
import { MAX_DOCUMENT, readServers } from '#lib/domain/domains/server-documents'
import { mergeSpf, spfTerms } from '#lib/domain/domains/spf'
import { parseTags, txtStrings, zoneFileTxt } from '#lib/domain/domains/txt'
import { returnDay } from '#lib/domain/inbox/absence/return-date'
import { readInbound } from '#lib/domain/inbox/classify'
import { companyDomain } from '#lib/domain/inbox/company-domain'
import { sanitizeHtml } from '#lib/domain/inbox/display-html'
import { boundedHead, messageIds, readHeaders } from '#lib/domain/inbox/headers'
import type { InboundMail } from '#lib/domain/inbox/inbound-mail'
import { newText } from '#lib/domain/inbox/new-text'
import { basicCode, blamedBy, enhancedCode } from '#lib/domain/inbox/status-code'
import { bareSubject } from '#lib/domain/inbox/subject'
import { addressed, isNamedHere } from '#lib/domain/inbox/written/addressed'
import { forwardSubject, withoutUnsubscribeLinks } from '#lib/domain/inbox/written/forwarded'
import { checkContent } from '#lib/domain/messages/content/content-check'
import { withoutFields } from '#lib/domain/messages/content/mail-words'
import {
  appendHtml,
  decodeEntities,
  htmlDocument,
  isHtml,
  textToHtml,
  tidyText,
} from '#lib/domain/messages/html'
import { htmlToText } from '#lib/domain/messages/html-to-text'
import { leanHtml, leanTemplate } from '#lib/domain/messages/lean-html'
import { finishedMessage, headerText, renderMessage, renderText } from '#lib/domain/messages/message'
import { parseSpintax, spin } from '#lib/domain/messages/spintax'
import { mergeFields, parseTemplate } from '#lib/domain/messages/template'
import { withLinks } from '#lib/domain/messages/tracked-html'
import { answerMail } from '#lib/domain/sandbox/sandbox-answers'
import { outgrown, type Reader, reader } from '#tests/support/code/growth'

const REPORTS = ['message/delivery-status', 'message/feedback-report', 'text/rfc822-headers']

const mailOf = (text: string): InboundMail => ({
  headers: [{ name: 'subject', value: text }],
  from: { name: text, address: text },
  recipients: [{ name: text, address: text }],
  cc: [text],
  bcc: [text],
  subject: text,
  date: null,
  message_id: text,
  in_reply_to: [text],
  references: [text],
  text,
  new_text: text,
  html: text,
  reports: [],
  attachments: [],
  cut: [],
})

const READERS = {
  mail: [
    reader('companyDomain', companyDomain),
    reader('enhancedCode', enhancedCode),
    reader('basicCode', basicCode),
    reader('blamedBy', (text) => blamedBy(null, text)),
    reader('boundedHead', (text) => boundedHead(new TextEncoder().encode(text))),
    reader('readHeaders', readHeaders),
    reader('readDmarcReport', (text) => readDmarcReport(`<feedback>${text}`)),
    ...['<a ', '<!--', '<![CDATA[', '<a/>', '</a>', ']]>'].map((piece) =>
      reader(`readDmarcReport, of ${piece}`, (text) =>
        readDmarcReport(`<feedback>${text.replaceAll(' ', piece)}`),
      ),
    ),
    reader('readResults', (text) => readResults(`mx.own.test; ${text}`)),
    reader('readResults, of many', (text) =>
      readResults(`mx.own.test; ${text.replaceAll(' ', 'dkim=pass header.i=@a; ')}`),
    ),
    reader('withoutUnsubscribeLinks', withoutUnsubscribeLinks),
    reader('withoutUnsubscribeLinks, of many', (text) =>
      withoutUnsubscribeLinks(text.replaceAll(' ', `u1.${'a'.repeat(64)} `)),
    ),
    reader('forwardSubject', forwardSubject),
    reader('messageIds', messageIds),
    reader('newText', newText),
    reader('isNamedHere', (text) => isNamedHere(text, ['ana@sender.test', 'sales@other.test'])),
    reader('addressed, of many', (text) => {
      const all = text.split(/[ \n]/)
      return addressed(all, [], { mailbox: 'ana@sender.test', all })
    }),
    reader('bareSubject', bareSubject),
    reader('returnDay', (text) => returnDay(text, 0)),
    reader('readInbound, of a message', (text) => readInbound(mailOf(text), 0)),
    reader('readInbound, of a report', (text) =>
      readInbound({ ...mailOf(text), reports: REPORTS.map((content_type) => ({ content_type, text })) }, 0),
    ),
    reader('readInbound, of what a mail system says', (text) =>
      readInbound({ ...mailOf(text), from: { name: '', address: 'mailer-daemon@a.test' } }, 0),
    ),
    reader('isHtml', isHtml),
    reader('htmlToText', htmlToText),
    reader('sanitizeHtml', sanitizeHtml),
    reader('textToHtml', textToHtml),
    reader('tidyText', tidyText),
    reader('decodeEntities', decodeEntities),
    reader('leanHtml', leanHtml),
    reader('leanTemplate', leanTemplate),
    reader('withLinks', (text) => withLinks(text, (url) => url)),
    reader('checkContent', (text) => checkContent({ subject: text, body: text, is_first: true })),
    reader('withoutFields', withoutFields),
    reader('appendHtml', (text) => appendHtml(text, '')),
    reader('answerMail', (text) =>
      answerMail(
        'unsubscribe',
        { from_address: text, rcpt_to: text, message_id: text, subject: text, head: text, text },
        { id: '1', at: new Date(0) },
      ),
    ),
  ],
  records: [
    reader('checkDkim', (text) => checkDkim([text], 'MIIB')),
    reader('checkDmarc', (text) => checkDmarc([text])),
    reader('readDomain', readDomain),
    reader('readServers', (text) => readServers(text, 'a@a.test'), MAX_DOCUMENT),
    reader('readServers, of a group', (text) =>
      readServers(`<Protocol><Type>SMTP</Type><Server>${text}`, 'a@a.test'),
    ),
    reader('spfTerms', spfTerms),
    reader('mergeSpf', (text) => mergeSpf([text], ['include:a.example'])),
    reader('parseTags', parseTags),
    reader('txtStrings', txtStrings),
    reader('zoneFileTxt', zoneFileTxt),
    reader('organizationalDomain', organizationalDomain, 253),
    reader('includeCovers', (text) => includeCovers(text, 'smtp.a.example')),
  ],
  templates: [
    reader('parseTemplate', (text) => parseTemplate({ subject: text, body: text })),
    reader('mergeFields', (text) => mergeFields({ subject: null, body: text })),
    reader('parseSpintax', (text) => spin(parseSpintax(text).nodes, () => 0)),
    reader('renderText', (text) => renderText({ template: text, lead: {}, sender: {}, seed: 'a' })),
    reader('renderMessage', (text) =>
      renderMessage({ template: { subject: text, body: text }, lead: {}, sender: {}, seed: 'a' }),
    ),
    reader('renderMessage of a cell', (text) =>
      renderMessage({
        template: { subject: 'Hi {{ a }}', body: '<p>{{ a }}</p>' },
        lead: { a: text },
        sender: {},
        seed: 'a',
      }),
    ),
    reader('finishedMessage', (text) => finishedMessage({ subject: text, body: text })),
    reader('headerText', headerText),
    reader('htmlDocument', htmlDocument),
    reader('fieldsUsed', fieldsUsed),
    reader('unknownFields', (text) => unknownFields(text, ['a'])),
    reader('splitMergeFields', (text) => splitMergeFields(text, ['a'])),
    reader('withFallback', (text) => withFallback(text, 'first_name', 'there')),
  ],
} satisfies Record<string, Reader[]>

describe.each(Object.entries(READERS))('%s', (_room, readers) => {
  test.each<Reader>(readers)(
    '$name takes time in proportion to its input',
    (asked) => {
      expect(outgrown(asked)).toBeNull()
    },
    600_000,
  )
})
