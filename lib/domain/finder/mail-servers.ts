/**
 * Providers whose servers are not probed: they forbid it, answer the same for every address, or treat the asker as a spammer. By
 * the end of the MX name.
 */
const SILENT: [string, RegExp][] = [
  ['Google', /(^|\.)(google|googlemail|gmail)\.com$|(^|\.)psmtp\.com$/],
  [
    'Microsoft',
    /(^|\.)(outlook|hotmail|office365)\.com$|(^|\.)mx\.microsoft$|(^|\.)olc\.protection\.outlook\.com$/,
  ],
  ['Yahoo', /(^|\.)(yahoodns\.net|yahoo\.com|aol\.com)$/],
  ['Apple', /(^|\.)(icloud\.com|apple\.com|me\.com)$/],
  ['Proofpoint', /(^|\.)(pphosted\.com|ppe-hosted\.com|gpphosted\.com)$/],
  ['Mimecast', /(^|\.)mimecast\.(com|co\.za)$|(^|\.)mimecast-offshore\.com$/],
  ['Barracuda', /(^|\.)(barracudanetworks|ess\.barracuda)\.com$|(^|\.)barracuda\.com$/],
  ['Cisco', /(^|\.)(iphmx|ironport)\.com$/],
  ['Broadcom', /(^|\.)messagelabs\.com$/],
  ['Trend Micro', /(^|\.)trendmicro\.(com|eu)$/],
  ['Yandex', /(^|\.)yandex\.(net|ru)$/],
  ['Mail.ru', /(^|\.)mail\.ru$/],
  ['GMX and WEB.DE', /(^|\.)(gmx\.net|web\.de|kundenserver\.de|1and1\.com)$/],
  ['T-Online', /(^|\.)t-online\.de$/],
  ['Proton', /(^|\.)protonmail\.ch$/],
  ['Zoho', /(^|\.)zoho\.(com|eu|in)$/],
  ['Amazon', /(^|\.)(amazonaws\.com|awsapps\.com)$/],
  ['Cloudflare', /(^|\.)mx\.cloudflare\.net$/],
  ['Tencent', /(^|\.)(qq\.com|exmail\.qq\.com)$/],
  ['NetEase', /(^|\.)(163|126|netease)\.com$/],
]

/** The provider of a mail server that must not be probed; null: it may be probed. */
export const silentProvider = (mxHost: string): string | null =>
  SILENT.find(([, name]) => name.test(mxHost.toLowerCase().replace(/\.$/, '')))?.[0] ?? null
