import { checkDkim } from '#lib/domain/domains/dkim-record'
import { checkDmarc } from '#lib/domain/domains/dmarc'
import { organizationalDomain, readDomain } from '#lib/domain/domains/domain-name'
import { mergeSpf, spfTerms } from '#lib/domain/domains/spf'
import { parseTags, txtStrings, zoneFileTxt } from '#lib/domain/domains/txt'
import { cleanText, enhancedStatus } from '#lib/providers/mail/reply'
import {
  promise,
  promiseCleanPrototypes,
  promiseStorable,
  type Target,
  textOf,
} from '#tests/support/fuzz/target'

/** Answers of DNS and mail servers. */
export const records: Target = {
  name: 'records',
  max: 16 * 1024,
  seeds: () => [
    'v=spf1 include:_spf.a.test ip4:192.0.2.0/24 a mx ~all',
    'v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA',
    'v=DMARC1; p=reject; rua=mailto:a@b.test; pct=50; sp=none; adkim=s',
    'https://www.Müller-Beispiel.co.uk/path',
    '550 5.7.1 [192.0.2.1] Message rejected\r\n',
  ],
  words: [
    'v=spf1',
    'v=DMARC1;',
    'v=DKIM1;',
    'p=',
    'include:',
    'redirect=',
    'exists:%{i}',
    'ip6:',
    ' -all',
    '~all',
    ';',
    '=',
    '__proto__=1;',
    'constructor=',
    '"',
    '\\',
    'xn--',
    '.co.uk',
    '..',
    'a@b',
    '250-',
    '5.1.1',
    '\r\n',
  ],
  run(input) {
    const text = textOf(input)
    checkDkim([text], 'MIIB')
    checkDmarc([text])
    const read = readDomain(text)
    if (read.ok) {
      const again = readDomain(read.domain)
      promise(again.ok && again.domain === read.domain, 'a domain reads as itself')
      const whole = organizationalDomain(read.domain)
      promise(
        read.domain === whole || read.domain.endsWith(`.${whole}`),
        'the organization is an end of the domain',
      )
    }
    spfTerms(text)
    const merged = mergeSpf([text], ['include:a.example'])
    promise(merged.includes('include:a.example'), 'what was asked for is in the record')
    promise(mergeSpf([merged], ['include:a.example']) === merged, 'and only once')
    parseTags(text)
    promise(txtStrings(text).join('') === text, 'strings of a record are the record')
    zoneFileTxt(text)
    promiseStorable(cleanText(text))
    enhancedStatus(text)
    promiseCleanPrototypes()
  },
}
