type ReplyBlock = {
  conversation: { from: 'us' | 'them'; text: string }[]
  cells: Record<string, string>
  sender: Record<string, string>
}

const NO =
  /\b(?:not interested|no interest|no,? thank|no thanks|unsubscribe|remove me|stop (?:writing|mailing|contacting))\b|^\s*no\b/i
const AWAY = /\b(?:out of (?:the )?office|on (?:vacation|leave|holiday)|i am away|i'm away|annual leave)\b/i
const YES =
  /^\s*(?:yes|sure|gladly|ok|okay)\b|\b(?:sounds good|interested|call me|let'?s talk|tell me more|happy to)\b/i

/** An answer to the lead's last message, by a few simple rules; it promises nothing and states no facts. */
export function composeReply({ conversation, cells, sender }: ReplyBlock): string {
  const said = conversation.findLast(({ from }) => from === 'them')?.text.trim() ?? ''
  const first = cells.first_name
  const from = sender.name ?? sender.full_name
  return [
    first ? `Hello ${first},` : 'Hello,',
    middle(said),
    from ? `Best regards\n${from}` : 'Best regards',
  ].join('\n\n')
}

/** The intent of a reply by the same rules, with the words it was found by. */
export function composeIntent(reply: string): { intent: string; evidence: string } {
  const no = NO.exec(reply)?.[0]
  if (no) return { intent: 'not_interested', evidence: no.trim() }
  const yes = YES.exec(reply)?.[0]
  return yes ? { intent: 'interested', evidence: yes.trim() } : { intent: 'none', evidence: '' }
}

const LONGEST_QUESTION = 200

function middle(said: string): string {
  if (NO.test(said)) return 'Thank you for telling me. I will not write to you about this again.'
  if (AWAY.test(said)) return 'Thank you for the note. I will write again once you are back.'
  const sentences = said.split(/(?<=[.!?\n])/)
  const asked = sentences.find((sentence) => sentence.endsWith('?') && sentence.length > 3)
  const question = asked?.slice(-LONGEST_QUESTION).trim()
  if (question)
    return `Thank you for your answer. You ask: “${question}” Would a short call suit you, or shall I put it in writing?`
  if (YES.test(said))
    return 'Thank you, I am glad to hear that. Which day and time would suit you for a short call?'
  return 'Thank you for your answer. What would help you most as a next step?'
}
