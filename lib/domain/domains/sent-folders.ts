/**
 * Servers that file sent mail in the Sent folder themselves, according to their documentation. Others may do so too: a copy that
 * is already there is not filed again, whoever filed it.
 */
const SAVES_ITSELF =
  /^(smtp\.(gmail|googlemail|office365|outlook)\.com|smtp-mail\.outlook\.com|smtp\.office365\.us|outlook-dod\.office365\.us|smtp\.partner\.outlook\.cn)$/

export const savesSentItself = (smtpHost: string): boolean =>
  SAVES_ITSELF.test(smtpHost.toLowerCase().replace(/\.$/, ''))

/** Of these, the servers that replace our Message-ID by their own. */
const RENAMES =
  /^(smtp\.(office365|outlook)\.com|smtp-mail\.outlook\.com|smtp\.office365\.us|outlook-dod\.office365\.us|smtp\.partner\.outlook\.cn)$/

export const mayRename = (smtpHost: string): boolean =>
  RENAMES.test(smtpHost.toLowerCase().replace(/\.$/, ''))
