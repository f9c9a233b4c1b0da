/**
 * Servers that put what is handed to them into Sent by themselves, as their documentation says. Others may too: what is there
 * already is not put there again, whoever did it.
 */
const SAVES_ITSELF =
  /^(smtp\.(gmail|googlemail|office365|outlook)\.com|smtp-mail\.outlook\.com|smtp\.office365\.us|outlook-dod\.office365\.us|smtp\.partner\.outlook\.cn)$/

export const savesSentItself = (smtpHost: string): boolean =>
  SAVES_ITSELF.test(smtpHost.toLowerCase().replace(/\.$/, ''))

/** Of these some put a Message-ID of their own in the place of ours. */
const RENAMES =
  /^(smtp\.(office365|outlook)\.com|smtp-mail\.outlook\.com|smtp\.office365\.us|outlook-dod\.office365\.us|smtp\.partner\.outlook\.cn)$/

export const mayRename = (smtpHost: string): boolean =>
  RENAMES.test(smtpHost.toLowerCase().replace(/\.$/, ''))
