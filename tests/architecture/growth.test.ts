import { describe, expect, test } from 'vitest'
import { checkDkim } from '#lib/domain/deliverability/dkim-record'
import { checkDmarc } from '#lib/domain/deliverability/dmarc'
import { readDomain } from '#lib/domain/deliverability/domain-name'
import { mergeSpf, spfTerms } from '#lib/domain/deliverability/spf'
import { tagsOf, txtStrings, zoneFileTxt } from '#lib/domain/deliverability/txt'
import { sanitizeHtml } from '#lib/domain/display-html'
import { addressFaults, isRoleLocal } from '#lib/domain/enrichment/address-quality'
import { countryCode } from '#lib/domain/enrichment/country'
import { checkedDomain } from '#lib/domain/enrichment/domain-text'
import { readJobTitle } from '#lib/domain/enrichment/job-title'
import { findTimezone } from '#lib/domain/enrichment/time-zone'
import { domainOfWebsite } from '#lib/domain/enrichment/web-domain'
import { linksInText } from '#lib/domain/extraction/text-links'
import { nameInText } from '#lib/domain/extraction/text-names'
import { readInbound } from '#lib/domain/inbound/classify'
import { companyDomain } from '#lib/domain/inbound/company-domain'
import { boundedHead, messageIds, readHeaders } from '#lib/domain/inbound/headers'
import type { InboundMail } from '#lib/domain/inbound/inbound-mail'
import { newText } from '#lib/domain/inbound/new-text'
import { returnDate } from '#lib/domain/inbound/return-date'
import { basicCode, blamedBy, enhancedCode } from '#lib/domain/inbound/status-code'
import { bareSubject } from '#lib/domain/inbound/subject'
import { cleanText, isErrorText } from '#lib/domain/lead-import/cells'
import {
  appendHtml,
  decodeEntities,
  isHtml,
  textToHtml,
  tidyText,
  withSafeUrls,
} from '#lib/domain/render/html'
import { htmlToText } from '#lib/domain/render/html-to-text'
import { withLinks } from '#lib/domain/render/tracked-html'
import { answerMail } from '#lib/domain/sandbox-answers'
import { generalText, numberText } from '#lib/providers/spreadsheet/cell-text'
import { detectFormat } from '#lib/providers/spreadsheet/format'
import { decodeText, sniffDelimiter } from '#lib/providers/spreadsheet/text-file'
import { rowScanner } from '#lib/providers/spreadsheet/xlsx-rows'
import { attribute, richText, tagsNamed, unescapeXml } from '#lib/providers/spreadsheet/xml'
import { outgrown, type Reader } from '#tests/support/growth'

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
  ],
  cells: [
    reader('addressFaults', addressFaults),
    reader('isRoleLocal', isRoleLocal),
    reader('countryCode', countryCode),
    reader('checkedDomain', checkedDomain),
    reader('readJobTitle', readJobTitle),
    reader('findTimezone', (text) => findTimezone({ country: 'US', city: text, state: text, phone: text })),
    reader('domainOfWebsite', domainOfWebsite),
    reader('linksInText', linksInText),
    reader('nameInText', nameInText),
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
