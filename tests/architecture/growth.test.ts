import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { fieldsUsed, piecesOf, unknownFields, withFallback } from '#components/messages/merge-fields'
import { nextMove } from '#lib/agent/offline-moves'
import { dateTimeInput, freeForm, id, text, timeOfDay, timezone } from '#lib/contracts/fields'
import { copyLine } from '#lib/db/copy-text'
import { jsonText } from '#lib/db/json-text'
import { likeText } from '#lib/db/like'
import { cleanText, isErrorText } from '#lib/domain/datasets/cells'
import { typeOfValue } from '#lib/domain/datasets/column-type'
import { columnNames, slugOf } from '#lib/domain/datasets/columns'
import { readEmailCell } from '#lib/domain/datasets/email-address'
import { fieldHinted, fieldNamed, headerKey } from '#lib/domain/datasets/header-names'
import { planImport } from '#lib/domain/datasets/plan'
import { rowJudge } from '#lib/domain/datasets/rows'
import { readHead } from '#lib/domain/datasets/sheet-head'
import { checkDkim } from '#lib/domain/domains/dkim-record'
import { checkDmarc } from '#lib/domain/domains/dmarc'
import { organizationalDomain, readDomain } from '#lib/domain/domains/domain-name'
import { includeCovers } from '#lib/domain/domains/mail-hosts'
import { mailProviderOf } from '#lib/domain/domains/mail-providers'
import { mergeSpf, spfTerms } from '#lib/domain/domains/spf'
import { tagsOf, txtStrings, zoneFileTxt } from '#lib/domain/domains/txt'
import { addressFaults, isDisposableDomain, isRoleLocal } from '#lib/domain/enrichment/address-quality'
import { readCompany } from '#lib/domain/enrichment/company-name'
import { countryCode } from '#lib/domain/enrichment/country'
import { checkedDomain } from '#lib/domain/enrichment/domain-text'
import { enrichRow } from '#lib/domain/enrichment/enrich'
import { extractFromRow } from '#lib/domain/enrichment/extract'
import { readJobTitle } from '#lib/domain/enrichment/job-title'
import { EXTRACTION_KINDS } from '#lib/domain/enrichment/kinds'
import { repairNameCase } from '#lib/domain/enrichment/letter-case'
import { splitFullName } from '#lib/domain/enrichment/person-name'
import { ENRICHMENT_RULES } from '#lib/domain/enrichment/rule-names'
import { addressesInText } from '#lib/domain/enrichment/text-addresses'
import { linksInText } from '#lib/domain/enrichment/text-links'
import { nameInText } from '#lib/domain/enrichment/text-names'
import { phonesInText } from '#lib/domain/enrichment/text-phones'
import { findTimezone } from '#lib/domain/enrichment/time-zone'
import { domainOfWebsite, findDomain } from '#lib/domain/enrichment/web-domain'
import { localParts } from '#lib/domain/finder/patterns'
import { readInbound } from '#lib/domain/inbox/classify'
import { companyDomain } from '#lib/domain/inbox/company-domain'
import { sanitizeHtml } from '#lib/domain/inbox/display-html'
import { boundedHead, messageIds, readHeaders } from '#lib/domain/inbox/headers'
import type { InboundMail } from '#lib/domain/inbox/inbound-mail'
import { newText } from '#lib/domain/inbox/new-text'
import { returnDate } from '#lib/domain/inbox/return-date'
import { basicCode, blamedBy, enhancedCode } from '#lib/domain/inbox/status-code'
import { bareSubject } from '#lib/domain/inbox/subject'
import { readSuppression, valueColumn } from '#lib/domain/leads/suppression-value'
import {
  appendHtml,
  decodeEntities,
  htmlDocument,
  isHtml,
  textToHtml,
  tidyText,
  withSafeUrls,
} from '#lib/domain/messages/html'
import { htmlToText } from '#lib/domain/messages/html-to-text'
import { finishedMessage, headerText, renderMessage, renderText } from '#lib/domain/messages/message'
import { parseSpintax, spin } from '#lib/domain/messages/spintax'
import { mergeFields, parseTemplate } from '#lib/domain/messages/template'
import { withLinks } from '#lib/domain/messages/tracked-html'
import { flagsOf } from '#lib/domain/personalize/evidence'
import { givesOrders } from '#lib/domain/personalize/material'
import { dataBlock } from '#lib/domain/personalize/prompt'
import { replyBlock } from '#lib/domain/personalize/reply-prompt'
import { answerMail } from '#lib/domain/sandbox/sandbox-answers'
import { postProblem } from '#lib/domain/social/social-post'
import { csvLine } from '#lib/domain/text/csv'
import { readListCursor } from '#lib/domain/text/list-cursor'
import { networkPlace } from '#lib/domain/text/network-place'
import { readSignedToken } from '#lib/domain/tokens/signed-token'
import { parseDuration } from '#lib/engine/config'
import { parseCron } from '#lib/engine/cron'
import { fileOf } from '#lib/http/mcp/files'
import { composeReply } from '#lib/providers/ai/offline-reply'
import { composeOffline, readDataBlock } from '#lib/providers/ai/offline-text'
import { cleanText as cleanReply, enhancedStatus } from '#lib/providers/mail/reply'
import { handleOf as sandboxHandleOf, strangerOf } from '#lib/providers/social/sandbox-people'
import { currentEventIn } from '#lib/providers/social/unipile/current-events'
import { handleOf } from '#lib/providers/social/unipile/names'
import { isSigned, jsonOf } from '#lib/providers/social/unipile/signature'
import { generalText, numberText } from '#lib/providers/spreadsheet/cell-text'
import { detectFormat } from '#lib/providers/spreadsheet/format'
import { decodeText, sniffDelimiter } from '#lib/providers/spreadsheet/text-file'
import { rowScanner } from '#lib/providers/spreadsheet/xlsx-rows'
import { attribute, richText, tagsNamed, unescapeXml } from '#lib/providers/spreadsheet/xml'
import { outgrown, type Reader } from '#tests/support/code/growth'

/**
 * Whatever reads words of others takes at most proportionally longer for longer words: every such function
 * meets some hundred hostile inputs at two sizes. A new one gets one line in its room's list; the second entry
 * feeds a text in. The third only where every caller cuts the text before, and then what it cuts it to.
 */
const reader = (name: string, read: (text: string) => unknown, max = Number.POSITIVE_INFINITY): Reader => ({
  name,
  read,
  max,
})

const REPORTS = ['message/delivery-status', 'message/feedback-report', 'text/rfc822-headers']

const mailOf = (text: string): InboundMail => ({
  headers: [{ name: 'subject', value: text }],
  from: { name: text, address: text },
  recipients: [{ name: text, address: text }],
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

const CELLS = { strings: [], styles: [], date1904: false }

/** A refusal is an answer. */
function ended(read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    return error
  }
}

const rowsOf = (text: string) => [
  { row_number: 1, cells: ['Email', 'Name', ...text.split(' ', 40)] },
  { row_number: 2, cells: ['ann@acme.example', text.slice(0, 2_000), ...text.split('a', 40)] },
]

function importOf(rows: ReturnType<typeof rowsOf>) {
  const { header_row, header } = readHead(rows)
  const planned = planImport({ header_row, header, mapping: { Email: 'email' }, email_required: false })
  return 'plan' in planned ? rows.map(rowJudge(planned.plan)) : planned
}

const FIELDS = [
  'full_name',
  'first_name',
  'last_name',
  'company',
  'title',
  'website',
  'email',
  'country',
  'city',
  'state',
  'phone',
]
const rowOf = (text: string) => Object.fromEntries(FIELDS.map((name) => [name, text]))

const MATERIAL = { cells: {}, sender: {}, template: null, prompt: '' }

const READERS = {
  mail: [
    reader('companyDomain', companyDomain),
    reader('enhancedCode', enhancedCode),
    reader('basicCode', basicCode),
    reader('blamedBy', (text) => blamedBy(null, text)),
    reader('boundedHead', (text) => boundedHead(new TextEncoder().encode(text))),
    reader('readHeaders', readHeaders),
    reader('messageIds', messageIds),
    reader('newText', newText),
    reader('bareSubject', bareSubject),
    reader('returnDate', (text) => returnDate(text, 0)),
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
    reader('withSafeUrls', withSafeUrls),
    reader('withLinks', (text) => withLinks(text, (url) => url)),
    reader('appendHtml', (text) => appendHtml(text, '')),
    reader('answerMail', (text) =>
      answerMail(
        'unsubscribe',
        { from_address: text, rcpt_to: text, message_id: text, subject: text, head: text, text },
        { id: '1', at: new Date(0) },
      ),
    ),
  ],
  sheets: [
    reader('cleanText', cleanText),
    reader('isErrorText', isErrorText),
    reader('detectFormat', (text) => ended(() => detectFormat(new TextEncoder().encode(text), 'a.csv'))),
    reader('decodeText', (text) => decodeText(new TextEncoder().encode(text))),
    reader('sniffDelimiter', sniffDelimiter),
    reader('numberText', (text) => numberText(text, false)(1.5)),
    reader('generalText', (text) => generalText(1, text)),
    reader('unescapeXml', unescapeXml),
    reader('attribute', (text) => attribute(text, 'r')),
    reader('tagsNamed', (text) => tagsNamed(text, 'sheet')),
    reader('richText', richText),
    reader('rowScanner, of rows', (text) => Array.from(rowScanner(CELLS)(text))),
    reader('rowScanner, of cells', (text) => Array.from(rowScanner(CELLS)(`<row>${text}</row>`))),
    reader('rowScanner, of values', (text) =>
      Array.from(
        rowScanner(CELLS)(
          ['inlineStr', 'str', 'd', 'n']
            .map((type) => `<row><c t="${type}"><v>${text}</v></c></row>`)
            .join(''),
        ),
      ),
    ),
  ],
  records: [
    reader('checkDkim', (text) => checkDkim([text], 'MIIB')),
    reader('checkDmarc', (text) => checkDmarc([text])),
    reader('readDomain', readDomain),
    reader('spfTerms', spfTerms),
    reader('mergeSpf', (text) => mergeSpf([text], ['include:a.example'])),
    reader('tagsOf', tagsOf),
    reader('txtStrings', txtStrings),
    reader('zoneFileTxt', zoneFileTxt),
    reader('organizationalDomain', organizationalDomain, 253),
    reader('includeCovers', (text) => includeCovers(text, 'smtp.a.example')),
  ],
  cells: [
    reader('readEmailCell', readEmailCell),
    reader('typeOfValue', typeOfValue),
    reader('slugOf', slugOf, 300),
    reader('headerKey', headerKey, 300),
    reader('fieldNamed', fieldNamed, 300),
    reader('fieldHinted', fieldHinted, 300),
    reader('columnNames', (text) => columnNames([text])(0)),
    reader('columnNames of many', (text) => columnNames(text.split(' '))(0)),
    reader('readHead', (text) => readHead(rowsOf(text))),
    reader('planImport and rowJudge', (text) => importOf(rowsOf(text))),
    reader('readSuppression', readSuppression),
    reader('valueColumn', (text) => valueColumn([text])),
    reader('csvLine', (text) => csvLine([text])),
    reader('localParts', (text) => localParts({ first_name: text, last_name: text })),
    reader('addressFaults', addressFaults),
    reader('isDisposableDomain', isDisposableDomain),
    reader('isRoleLocal', isRoleLocal),
    reader('readCompany', readCompany),
    reader('countryCode', countryCode),
    reader('checkedDomain', checkedDomain),
    reader('enrichRow', (text) => enrichRow(rowOf(text), ENRICHMENT_RULES, { repeated_in: null })),
    reader('readJobTitle', readJobTitle),
    reader('repairNameCase', repairNameCase),
    reader('splitFullName', splitFullName),
    reader('findTimezone', (text) => findTimezone({ country: 'US', city: text, state: text, phone: text })),
    reader('domainOfWebsite', domainOfWebsite),
    reader('findDomain', (text) => findDomain({ website: text, email: text })),
    reader('extractFromRow', (text) =>
      extractFromRow({ notes: text }, { kinds: EXTRACTION_KINDS, columns: null }),
    ),
    reader('addressesInText', addressesInText),
    reader('linksInText', linksInText),
    reader('nameInText', nameInText),
    reader('phonesInText', (text) => phonesInText(text, 'DE')),
    reader('mailProviderOf', mailProviderOf),
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
    reader('piecesOf', (text) => piecesOf(text, ['a'])),
    reader('withFallback', (text) => withFallback(text, 'first_name', 'there')),
  ],
  'texts of models': [
    reader('flagsOf a text', (text) => flagsOf({ subject: text, body: text, claims: [] }, MATERIAL)),
    reader('flagsOf a cell', (text) =>
      flagsOf(
        { subject: 'Hi', body: 'Hello Ann', claims: [{ text: 'a', cell: 'note' }] },
        { ...MATERIAL, cells: { note: text } },
        { others: [text] },
      ),
    ),
    reader('givesOrders', givesOrders),
    reader('dataBlock', (text) => dataBlock({ ...MATERIAL, cells: { note: text } })),
    reader('composeOffline', (text) =>
      composeOffline({ cells: { note: text }, sender: {}, template: { subject: '', body: text } }),
    ),
    reader('composeReply', (text) =>
      composeReply({ conversation: [{ from: 'them', text }], cells: {}, sender: {} }),
    ),
    reader('readDataBlock', readDataBlock),
    reader('replyBlock', (text) =>
      replyBlock({ conversation: [{ from: 'them', text }], cells: {}, sender: {} }),
    ),
    reader('nextMove', (text) => nextMove({ said: text, before: text, page: {}, done: [] })),
    reader('nextMove about a lead', (text) =>
      nextMove({ said: `find the lead ${text}`, before: '', page: {}, done: [] }),
    ),
    reader('nextMove about a reason', (text) =>
      nextMove({ said: `why is ${text}`, before: '', page: {}, done: [] }),
    ),
  ],
  networks: [
    reader('handleOf', handleOf),
    reader('handleOf of the sandbox', (text) => strangerOf(sandboxHandleOf(text))),
    reader('postProblem', (text) => postProblem('linkedin', text, false)),
    reader('jsonOf', (text) => currentEventIn(jsonOf(text))),
    reader('isSigned', (text) =>
      isSigned('a', new Headers({ 'unipile-signature': encodeURIComponent(text) }), text, new Date(0)),
    ),
    reader('cleanText of a mail server', cleanReply),
    reader('enhancedStatus', enhancedStatus),
  ],
  requests: [
    reader('networkPlace', networkPlace),
    reader('text', (given) => text(0, 100_000).safeParse(given)),
    reader('timezone', (given) => timezone().safeParse(given)),
    reader('timeOfDay', (given) => timeOfDay().safeParse(given)),
    reader('dateTimeInput', (given) => dateTimeInput().safeParse(given)),
    reader('freeForm', (given) => freeForm().safeParse({ [given]: given })),
    reader('id', (given) => id().safeParse(given)),
    reader('address of a mailbox', (given) => z.email().max(320).safeParse(given)),
    reader('fileOf', (given) => fileOf('file', { filename: 'a.csv', content_base64: given })),
    reader('readListCursor', readListCursor),
    reader('readSignedToken', (given) => readSignedToken('u1', given, new Uint8Array(32))),
    reader('parseCron', parseCron),
    reader('parseDuration', parseDuration),
    reader('likeText', likeText),
    reader('jsonText', jsonText),
    reader('copyLine', (given) => copyLine([given])),
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

test('what grows as a square, or never ends, is found', () => {
  const runBeforeEnd = reader('square', (text) => /a+$/.exec(text))
  const nested = reader('exponential', (text) => /^(a|a)*$/.exec(text))
  const plain = reader('linear', (text) => text.split('a').length)
  expect([outgrown(runBeforeEnd, 2_000), outgrown(nested, 2_000)].map((found) => found !== null)).toEqual([
    true,
    true,
  ])
  expect(outgrown(plain)).toBeNull()
})
