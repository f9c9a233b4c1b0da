/** Domains of free mail providers: two people who share one need not be colleagues. */
const FREE_MAIL = new Set(
  `gmail.com googlemail.com outlook.com hotmail.com live.com msn.com yahoo.com ymail.com rocketmail.com aol.com icloud.com
  me.com mac.com proton.me protonmail.com pm.me gmx.com gmx.de gmx.net gmx.at gmx.ch web.de t-online.de freenet.de
  posteo.de mailbox.org mail.com email.com fastmail.com fastmail.fm hey.com tutanota.com tuta.io tuta.com zoho.com
  zohomail.com yandex.ru yandex.com ya.ru mail.ru bk.ru inbox.ru list.ru rambler.ru qq.com 163.com 126.com sina.com
  foxmail.com naver.com daum.net hanmail.net orange.fr wanadoo.fr free.fr laposte.net sfr.fr neuf.fr bbox.fr libero.it
  virgilio.it alice.it tin.it tiscali.it hotmail.it terra.com.br uol.com.br bol.com.br ig.com.br telefonica.net ziggo.nl
  kpnmail.nl planet.nl home.nl xs4all.nl telenet.be skynet.be bluewin.ch hispeed.ch sunrise.ch comcast.net verizon.net
  att.net sbcglobal.net bellsouth.net cox.net charter.net earthlink.net rogers.com shaw.ca sympatico.ca bell.net
  btinternet.com sky.com virginmedia.com ntlworld.com talktalk.net blueyonder.co.uk tiscali.co.uk bigpond.com
  optusnet.com.au wp.pl o2.pl interia.pl onet.pl op.pl seznam.cz centrum.cz email.cz abv.bg mail.bg telia.com
  rediffmail.com`.split(/\s+/),
)
/** Large providers that have one of these names in every country. */
const FREE_EVERYWHERE = /^(yahoo|hotmail|live|outlook|gmx|ymail|yandex)\.[a-z]{2,3}(\.[a-z]{2})?$/

/** The domain of a company; null for free mail providers and invalid addresses. */
export function companyDomain(address: string): string | null {
  const at = address.lastIndexOf('@')
  const domain = at < 1 ? '' : address.slice(at + 1).toLowerCase()
  if (!domain.includes('.') || FREE_MAIL.has(domain) || FREE_EVERYWHERE.test(domain)) return null
  return domain
}
