import { describe, expect, test } from 'vitest'
import { checkDkim } from '#lib/domain/deliverability/dkim-record'
import { checkDmarc } from '#lib/domain/deliverability/dmarc'
import { readDomain } from '#lib/domain/deliverability/domain-name'
import { mergeSpf, spfTerms } from '#lib/domain/deliverability/spf'
import { tagsOf, txtStrings, zoneFileTxt } from '#lib/domain/deliverability/txt'
import { addressFaults, isRoleLocal } from '#lib/domain/enrichment/address-quality'
import { countryCode } from '#lib/domain/enrichment/country'
import { checkedDomain } from '#lib/domain/enrichment/domain-text'
import { readJobTitle } from '#lib/domain/enrichment/job-title'
import { findTimezone } from '#lib/domain/enrichment/time-zone'
import { domainOfWebsite } from '#lib/domain/enrichment/web-domain'
import { linksInText } from '#lib/domain/extraction/text-links'
import { nameInText } from '#lib/domain/extraction/text-names'
import { companyDomain } from '#lib/domain/inbound/company-domain'
import { enhancedCode } from '#lib/domain/inbound/status-code'
import { cleanText, isErrorText } from '#lib/domain/lead-import/cells'
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

const READERS = {
  mail: [reader('companyDomain', companyDomain), reader('enhancedCode', enhancedCode)],
  sheets: [reader('cleanText', cleanText), reader('isErrorText', isErrorText)],
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
