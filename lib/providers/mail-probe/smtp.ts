import { blames, cleanText, enhancedStatus } from '#lib/providers/mail/reply'
import { type Dialogue, openDialogue, type Reply } from '#lib/providers/mail-probe/dialogue'
import type { MailProbe, ProbeAnswer } from '#lib/providers/mail-probe/port'
import { type Lookup, type OutboundPolicy, resolveHost } from '#lib/providers/outbound'

export type ProbeOptions = {
  /** The name in EHLO: one that resolves to the address of the connection. */
  ehlo_name: string
  /** The envelope sender: an address that accepts bounces. */
  from: string
  port: number
  /** The limit of the whole dialogue. */
  timeout_ms: number
  policy: OutboundPolicy
  lookup: Lookup
}

/** Words by which servers without enhanced codes refuse the asker and not the address. */
const ABOUT_US =
  /spam|block(ed|list)|black ?list|reputation|policy|denied|not allowed|rejected by|reverse dns|ptr|rbl|dnsbl|banned|too many|rate limit|greylist|authentication|tls/i

export function createMailProbe(options: ProbeOptions): MailProbe {
  return {
    async ask(mxHost, addresses) {
      const all = (response: string): ProbeAnswer[] =>
        addresses.map(() => ({ answer: 'failed', response: cleanText(response) }))
      const resolved = await resolveHost(mxHost, options.port, options.policy, options.lookup)
      if (!resolved.ok) return all(resolved.error)
      const opened = await openDialogue(resolved.addresses[0], options.port, options.timeout_ms)
      if ('error' in opened) return all(opened.error)
      try {
        return await converse(opened, addresses, options)
      } finally {
        opened.close()
      }
    },
  }
}

/** EHLO, MAIL, one RCPT per address, RSET and QUIT: everything before the message itself. */
async function converse(
  dialogue: Dialogue,
  addresses: readonly string[],
  { ehlo_name, from }: ProbeOptions,
): Promise<ProbeAnswer[]> {
  for (const line of [null, `EHLO ${ehlo_name}`, `MAIL FROM:<${from}>`]) {
    const reply = await dialogue.say(line)
    if (reply.code >= 200 && reply.code < 300) continue
    const answer = reply.code >= 400 && reply.code < 500 ? 'deferred' : 'failed'
    return addresses.map(() => ({ answer, response: cleanText(reply.text) }))
  }
  const answers: ProbeAnswer[] = []
  for (const address of addresses) answers.push(readReply(await dialogue.say(`RCPT TO:<${address}>`)))
  await dialogue.say('RSET')
  await dialogue.say('QUIT')
  return answers
}

/** 252 neither accepts nor refuses; 552 and X.2.2 say that the mailbox is full: it exists, but takes nothing for now. */
export function readReply({ code, text }: Reply): ProbeAnswer {
  const response = cleanText(text)
  const enhanced = enhancedStatus(text)
  if (code === 250 || code === 251) return { answer: 'accepted', response }
  if (code === 0 || code === 252 || code < 400) return { answer: 'failed', response }
  if (code < 500 || code === 552 || enhanced?.endsWith('.2.2')) return { answer: 'deferred', response }
  const isAboutThem = blames('rcpt', enhanced) === 'recipient' && ![521, 530, 554].includes(code)
  const isAboutUs = !enhanced && ABOUT_US.test(text)
  return { answer: isAboutThem && !isAboutUs ? 'refused' : 'failed', response }
}
